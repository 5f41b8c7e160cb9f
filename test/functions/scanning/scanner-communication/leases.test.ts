import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { setClock } from '#shared/platform/runtime/clock.ts';
import { clearHint, hintKey, hintOf, pendingRows, workHints } from '#shared/scanning/scanner-tasks/queue.ts';
import { scannerQueue } from '#shared/scanning/scanner-tasks/scanner-task.ts';
import { scannerGroups } from '#shared/scanning/scanners/scanner-group.ts';
import { scannerGroupDraft } from '../../../support/scanning.ts';
import { newWorld, stopClock, type World } from '../../../support/scanning-world.ts';
import { type Store, startStore } from '../../../support/store.ts';

let store: Store;
let world: World;

beforeAll(async () => {
  store = await startStore();
});
beforeEach(() => {
  stopClock();
  world = newWorld(store.dynamo);
});
afterAll(async () => {
  setClock();
  await store.stop();
});

describe('leasing', () => {
  test('a scanner gets only tasks of its zone, its types and its groups', async () => {
    const { id: group } = await world.table.create(scannerGroups, scannerGroupDraft());
    const dmz = await world.link({ zone: 'dmz' });
    const grouped = await world.link({ groupIds: [group] });
    const plain = await world.link();
    await world.engage(['10.0.0.1'], { zone: 'dmz' });
    await world.engage(['10.0.0.2'], { scannerGroupId: group });
    await world.engage(['10.0.0.3'], { taskTypes: ['web'] });
    const values = async (id: string) =>
      (await world.poll(id, { capacity: 9 })).tasks.map(({ target }) => target.value);
    expect(await values(plain.id)).toEqual([]);
    expect(await values(dmz.id)).toEqual(['10.0.0.1']);
    expect(await values(grouped.id)).toEqual(['10.0.0.2']);
  });

  test('a poll soon after work shows up finds it, whatever an earlier poll saw', async () => {
    const scanner = await world.link();
    expect((await world.poll(scanner.id)).pollAfterSeconds).toBeGreaterThanOrEqual(60);
    await world.engage(['10.0.0.1']);
    expect((await world.poll(scanner.id)).tasks).toHaveLength(1);
    await world.poll(scanner.id); // finds the queue empty and says so
    await world.engage(['10.0.0.2', '10.0.0.3']);
    const found = await world.poll(scanner.id);
    expect(found.tasks).toHaveLength(1);
    expect(found.pollAfterSeconds).toBe(5);
  });
});

test('a task that failed for good waits in no queue, and one that may be tried again does', async () => {
  const scanner = await world.link();
  await world.engage(['10.0.0.1']);
  const queue = scannerQueue('network', null, null);
  const waiting = async () => (await world.table.rows(pendingRows).query(queue)).map(({ taskId }) => taskId);
  const [task] = await world.tasks();
  if (!task) throw new Error('the engagement made no task');
  for (let attempt = 1; attempt <= task.maxAttempts; attempt++) {
    expect(await waiting()).toEqual([task.id]);
    await world.poll(scanner.id);
    await world.complete(scanner.id, [
      { taskId: task.id, outcome: 'failed', error: { code: 'broken', message: 'no route' } },
    ]);
  }
  expect(await world.tasks()).toMatchObject([{ status: 'failed', attempt: task.maxAttempts }]);
  expect(await waiting()).toEqual([]);
});

test('work that comes while a poll finds the queue empty is not overlooked', async () => {
  const scanner = await world.link();
  await world.engage(['10.0.0.1']);
  const queue = scannerQueue('network', null, null);
  const seen = hintOf(await world.table.rows(workHints).find(hintKey, true), queue);
  await world.poll(scanner.id, { capacity: 5 });
  await world.engage(['10.0.0.2']); // between the poll's look at the queue and its clearing of the hint
  await clearHint(world.table, queue, seen);
  expect((await world.poll(scanner.id)).tasks).toHaveLength(1);
});
