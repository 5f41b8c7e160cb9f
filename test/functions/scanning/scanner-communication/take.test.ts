import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { findWork, pick, widthOf } from '#functions/scanning/scanner-communication/take.ts';
import { nowMs, setClock } from '#shared/platform/runtime/clock.ts';
import { ordinalOf } from '#shared/platform/runtime/ids.ts';
import { setRandom } from '#shared/platform/runtime/random.ts';
import { cancelTask } from '#shared/scanning/fleet/cancel-task.ts';
import { firstOf, seenQueue } from '#shared/scanning/leases/search.ts';
import {
  clearHint,
  hintKey,
  hintOf,
  type QueuedTask,
  readQueue,
  workHints,
} from '#shared/scanning/scanner-tasks/queue.ts';
import { SHARDS, scannerQueue, scannerTasks } from '#shared/scanning/scanner-tasks/scanner-task.ts';
import { injectFaults } from '../../../support/faults.ts';
import { newWorld, stopClock, type World } from '../../../support/scanning-world.ts';
import { useStore } from '../../../support/store.ts';

const store = useStore();
const queue = scannerQueue('network', null, null);
let world: World;
beforeEach(() => {
  stopClock();
  setRandom(() => 0);
  world = newWorld(store.dynamo);
});
afterAll(() => {
  setClock();
  setRandom();
});

const hosts = (count: number) => Array.from({ length: count }, (_, n) => `10.0.0.${n + 1}`);
const waiting = (more = 300): Promise<QueuedTask[]> => readQueue(world.table, queue, more);
const hintNow = async () => world.table.rows(workHints).find(hintKey, true);
const idsOf = (tasks: readonly { id: string }[]) => tasks.map(({ id }) => id).toSorted();

test('a poll looks as far into a queue as each counter shard may have what it takes, up to 240 tasks', () => {
  expect([1, 14, 15, 16, 100].map(widthOf)).toEqual([16, 224, 240, 240, 240]);
});

describe('of the tasks that wait', () => {
  test('the oldest are taken, and the number of others is reported', async () => {
    await world.engage(hosts(4));
    const rows = await waiting();
    const first = await pick(world.table, rows, { room: 3, attempt: 1 });
    expect(idsOf(first.tasks)).toEqual(
      rows
        .slice(0, 3)
        .map(({ taskId }) => taskId)
        .toSorted(),
    );
    expect(first.more).toBe(true);
    expect((await pick(world.table, rows, { room: 4, attempt: 1 })).more).toBe(false);
  });

  test('those that ended meanwhile are left out', async () => {
    await world.engage(hosts(2));
    const rows = await waiting();
    await world.table.modify(scannerTasks, rows[0]?.taskId ?? '', () => ({ status: 'cancelled' as const }));
    const { tasks } = await pick(world.table, rows, { room: 2, attempt: 1 });
    expect(idsOf(tasks)).toEqual([rows[1]?.taskId]);
  });

  test('those whose window has closed are left, from the moment at which it closes', async () => {
    await world.engage(hosts(3));
    const [a, b, c] = await waiting();
    if (!a || !b || !c) throw new Error('three tasks wait');
    const rows = [{ ...a, until: nowMs() }, { ...b, until: nowMs() + 1 }, c];
    const found = await pick(world.table, rows, { room: 3, attempt: 1 });
    expect(idsOf(found.tasks)).toEqual([b.taskId, c.taskId].toSorted());
    expect([...found.windows]).toEqual([[b.taskId, nowMs() + 1]]);
    // it waits for the next one
    expect(found.more).toBe(true);
  });

  test('those of one counter shard are taken while very many wait, the oldest of it first', async () => {
    await world.engage(hosts(48));
    const rows = await waiting(widthOf(2));
    const ofShard = (shard: number) =>
      rows.flatMap(({ taskId }) => (ordinalOf(taskId) % SHARDS === shard ? [taskId] : [])).slice(0, 2);
    const many = await pick(world.table, rows, { room: 2, attempt: 1 });
    expect(idsOf(many.tasks)).toEqual(ofShard(0).toSorted());
    setRandom(() => 0.999);
    // the shard whose turn it is: the turns of the others come after it
    expect(idsOf((await pick(world.table, rows, { room: 2, attempt: 1 })).tasks)).toEqual(ofShard(1).toSorted());
    const few = await pick(world.table, rows.slice(0, 31), { room: 2, attempt: 1 });
    expect(idsOf(few.tasks)).toEqual(
      rows
        .slice(0, 2)
        .map(({ taskId }) => taskId)
        .toSorted(),
    );
  });

  test('nothing is read for a scanner without room, which still hears that something waits', async () => {
    await world.engage(hosts(1));
    const hint = await hintNow();
    const look = (more: object) => findWork(world.table, { queues: [queue], hint, room: 0, attempt: 1, ...more });
    expect(await look({})).toMatchObject({ tasks: [], more: true });
    expect(await look({ room: 1, queues: ['other'] })).toMatchObject({ tasks: [], more: false });
    expect((await look({ room: 1 })).tasks).toHaveLength(1);
  });
});

test('a read of an empty queue removes its hint for the others, and a read of another queue does not', async () => {
  await world.engage(hosts(2));
  const look = async () => {
    await findWork(world.table, { queues: [queue], hint: await hintNow(), room: 1, attempt: 1 });
    return hintOf(await hintNow(), queue) !== undefined;
  };
  const [one, two] = await waiting();
  await cancelTask(world.table, one?.taskId ?? '');
  expect(await look()).toBe(true);
  await cancelTask(world.table, two?.taskId ?? '');
  expect(await look()).toBe(false);
});

describe('the first of a queue', () => {
  const rows = ['c', 'a', 'd', 'b'].map((sk) => ({ sk, taskId: sk }));
  const first = (room: number, attempt: number) =>
    firstOf(rows, { room, attempt })
      .map(({ sk }) => sk)
      .join('');

  test('are taken in its order; after another was faster, from anywhere among the first', () => {
    setRandom(() => 0.999);
    expect([first(2, 1), first(9, 1), first(2, 2), first(1, 2)]).toEqual(['ab', 'abcd', 'bc', 'c']);
    expect([first(4, 2), first(9, 2)]).toEqual(['abcd', 'abcd']);
    setRandom(() => 0);
    expect(first(2, 2)).toBe('ab');
  });

  test('are all of it only while more could have been read', () => {
    const clear = async () => {};
    expect(seenQueue(rows, { width: 5, clear })).toEqual([{ taskIds: ['c', 'a', 'd', 'b'], clear }]);
    expect(seenQueue(rows, { width: 4, clear })).toEqual([]);
    expect(seenQueue([], { width: 5, clear })).toEqual([]);
  });
});

test('the hint of a queue stays when the table does not answer, and the caller hears of it', async () => {
  await world.engage(hosts(1));
  const seen = hintOf(await hintNow(), queue);
  const dynamo = store.connect();
  const end = injectFaults(dynamo, {
    random: () => 1,
    before() {
      throw new Error('injected outage');
    },
  });
  const broken = { ...world.table, dynamo };
  await expect(clearHint(broken, queue, seen)).rejects.toThrow('injected outage');
  expect(hintOf(await hintNow(), queue)).toBe(seen);
  end();
  await clearHint(broken, queue, 'another stamp');
  expect(hintOf(await hintNow(), queue)).toBe(seen);
  await clearHint(broken, queue, seen);
  expect(hintOf(await hintNow(), queue)).toBeUndefined();
});
