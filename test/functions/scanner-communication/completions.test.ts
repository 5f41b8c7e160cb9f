import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { engagements } from '#shared/entities/engagement.ts';
import { scannerTasks } from '#shared/entities/scanner-task.ts';
import { LEASE_SECONDS } from '#shared/leases/lease.ts';
import { setClock } from '#shared/runtime/clock.ts';
import { cancelTask } from '#shared/scanners/cancel-task.ts';
import { type Store, startStore } from '#test/support/store.ts';
import { newWorld, stopClock, type World } from '../../support/scanning-world.ts';

let store: Store;
let world: World;
let clock: ReturnType<typeof stopClock>;

beforeAll(async () => {
  store = await startStore();
});
beforeEach(() => {
  clock = stopClock();
  world = newWorld(store.dynamo);
});
afterAll(async () => {
  setClock();
  await store.stop();
});

const done = (taskId: string) => ({ taskId, outcome: 'completed' });
const failed = (taskId: string) => ({ taskId, outcome: 'failed', error: { code: 'unreachable', message: 'no route' } });

describe('completions', () => {
  test('a completion sent twice is answered the same and does nothing twice', async () => {
    const scanner = await world.link();
    const engagement = await world.engage(['10.0.0.1']);
    const taskId = (await world.poll(scanner.id)).tasks[0]?.id ?? '';
    const reports = [
      { format: 'nuclei', content: '{"template-id":"a","info":{"name":"n","severity":"low"},"host":"10.0.0.1"}' },
    ];
    const first = await world.complete(scanner.id, [{ ...done(taskId), reports }]);
    const sent = world.sent.length;
    const second = await world.complete(scanner.id, [{ ...done(taskId), reports }]);
    expect(second).toEqual(first);
    expect(first.results[0]?.ingestTaskIds).toEqual([first.taskId]);
    expect(world.sent.length).toBe(sent);
    expect(await world.table.get(engagements, engagement.id)).toMatchObject({ status: 'completed' });
    await world.expectExactCounters();
  });

  test('a failure sent twice uses up one attempt', async () => {
    const scanner = await world.link();
    await world.engage(['10.0.0.1']);
    const taskId = (await world.poll(scanner.id)).tasks[0]?.id ?? '';
    const first = await world.complete(scanner.id, [failed(taskId)]);
    expect((await world.complete(scanner.id, [failed(taskId)])).results).toEqual(first.results);
    expect(await world.table.get(scannerTasks, taskId)).toMatchObject({ status: 'pending', attempt: 1 });
  });

  test('one wrong result loses none of the others', async () => {
    const scanner = await world.link();
    await world.engage(['10.0.0.1', '10.0.0.2']);
    const { tasks } = await world.poll(scanner.id, { capacity: 2 });
    const [a = '', b = ''] = tasks.map(({ id }) => id);
    const unknown = '01931f7e-0000-7000-8000-00000000dead';
    const { results } = await world.complete(scanner.id, [
      { taskId: a, outcome: 'perhaps' },
      done(unknown),
      done(b),
      { ...done(a), reports: [{ format: 'docx', content: 'x' }] },
    ]);
    expect(results).toMatchObject([
      { taskId: a, accepted: false, code: 'validation_failed' },
      { taskId: unknown, accepted: false, code: 'not_found' },
      { taskId: b, accepted: true },
      { taskId: a, accepted: false, code: 'unsupported_format' },
    ]);
    expect(await world.table.get(scannerTasks, a)).toMatchObject({
      status: 'pending',
      error: { code: 'unsupported_format' },
    });
  });

  test('the report of a task counts for the target of its lease', async () => {
    const scanner = await world.link({ zone: 'dmz' });
    await world.engage(['10.0.0.1'], { zone: 'dmz' });
    const taskId = (await world.poll(scanner.id)).tasks[0]?.id ?? '';
    const reports = [
      { format: 'nuclei', content: '{"template-id":"a","info":{"name":"n","severity":"low"},"host":"6.6.6.6"}' },
    ];
    await world.complete(scanner.id, [{ ...done(taskId), reports }]);
    const [submission] = [...world.objects].filter(([key]) => key.endsWith('submission.json')).map(([, body]) => body);
    expect(JSON.parse(String(submission))).toMatchObject({
      target: { type: 'host', value: '10.0.0.1' },
      zone: 'dmz',
      scanType: 'network',
      scannerTaskId: taskId,
    });
  });
});

describe('cancelling', () => {
  test('a waiting task is cancelled at once and never handed out', async () => {
    const scanner = await world.link();
    const engagement = await world.engage(['10.0.0.1']);
    const [task] = await world.tasks();
    expect(await cancelTask(world.table, task?.id ?? '')).toMatchObject({ status: 'cancelled' });
    expect((await world.poll(scanner.id)).tasks).toEqual([]);
    expect(await world.table.get(engagements, engagement.id)).toMatchObject({ status: 'cancelled' });
    await expect(cancelTask(world.table, task?.id ?? '')).rejects.toMatchObject({ code: 'conflict' });
    await world.expectExactCounters();
  });

  test('a running task is cancelled when its scanner has heard of it', async () => {
    const scanner = await world.link();
    await world.engage(['10.0.0.1']);
    const taskId = (await world.poll(scanner.id)).tasks[0]?.id ?? '';
    expect(await cancelTask(world.table, taskId)).toMatchObject({ status: 'running' });
    const { cancel } = await world.poll(scanner.id, { running: [{ taskId, progress: 0.1 }] });
    expect(cancel).toMatchObject([{ taskId }]);
    await world.complete(scanner.id, [{ taskId, outcome: 'cancelled' }]);
    expect(await world.table.get(scannerTasks, taskId)).toMatchObject({ status: 'cancelled' });
  });

  test('a completion that comes after the wish to cancel is taken: the work was done', async () => {
    const scanner = await world.link();
    await world.engage(['10.0.0.1']);
    const taskId = (await world.poll(scanner.id)).tasks[0]?.id ?? '';
    await Promise.allSettled([cancelTask(world.table, taskId), world.complete(scanner.id, [done(taskId)])]);
    expect(await world.table.get(scannerTasks, taskId)).toMatchObject({ status: 'completed' });
    await world.expectExactCounters();
  });

  test('a cancelled task of a scanner that never answers is cancelled when its lease ends', async () => {
    const scanner = await world.link();
    await world.engage(['10.0.0.1']);
    const taskId = (await world.poll(scanner.id)).tasks[0]?.id ?? '';
    await cancelTask(world.table, taskId);
    clock.pass(LEASE_SECONDS + 1);
    await world.sweep();
    expect(await world.table.get(scannerTasks, taskId)).toMatchObject({ status: 'cancelled' });
  });
});

describe('what happens while the reports of a result are taken', () => {
  const report = {
    format: 'nuclei',
    content: '{"template-id":"a","info":{"name":"n","severity":"low"},"host":"10.0.0.1"}',
  };

  /** A task that is being completed; `act` happens after the claim and before the record. */
  async function completeWhile(outcome: 'completed' | 'failed', act: (scannerId: string, taskId: string) => unknown) {
    const { id: scannerId } = await world.link();
    await world.engage(['10.0.0.1', '10.0.0.2']);
    const { tasks } = await world.poll(scannerId, { capacity: 2 });
    const [taskId = '', other = ''] = tasks.map(({ id }) => id);
    const put = world.connections.bucket.put.bind(world.connections.bucket);
    world.connections.bucket.put = async (...file) => {
      world.connections.bucket.put = put;
      await act(scannerId, taskId);
      return put(...file);
    };
    const { results } = await world.complete(scannerId, [{ taskId, outcome, reports: [report] }]);
    await world.expectExactCounters();
    return { result: results[0], task: await world.table.get(scannerTasks, taskId), scannerId, other };
  }

  test('a poll that renews and a cancellation take nothing from work that was done', async () => {
    const { result, task, scannerId, other } = await completeWhile('completed', async (id, taskId) => {
      clock.pass(61);
      await world.poll(id, { capacity: 0, running: [{ taskId, progress: 0.9 }] });
      await cancelTask(world.table, taskId);
    });
    expect(result).toMatchObject({ accepted: true });
    expect(task).toMatchObject({ status: 'completed' });
    expect((await world.poll(scannerId, { running: [{ taskId: other, progress: 0 }] })).lost).toEqual([]);
  });

  test('a failure of a task that someone cancelled meanwhile is its end', async () => {
    const { task } = await completeWhile('failed', (_, taskId) => cancelTask(world.table, taskId));
    expect(task).toMatchObject({ status: 'cancelled' });
  });

  test('a task that was given back meanwhile is refused, and goes to another', async () => {
    const { result, task } = await completeWhile('completed', async () => {
      clock.pass(LEASE_SECONDS + 1);
      await world.sweep();
    });
    expect(result).toMatchObject({ accepted: false, code: 'not_held' });
    expect(task).toMatchObject({ status: 'pending', scanner: null });
  });
});

test('an engagement is over when the last results of its tasks are sent together, and not before', async () => {
  const scanner = await world.link();
  const engagement = await world.engage(['10.0.0.1', '10.0.0.2', '10.0.0.3']);
  const { tasks } = await world.poll(scanner.id, { capacity: 3 });
  const [first, ...rest] = tasks.map(({ id }) => done(id));
  await world.complete(scanner.id, [first]);
  expect(await world.table.get(engagements, engagement.id)).toMatchObject({ status: 'running' });
  await world.complete(scanner.id, rest);
  expect(await world.table.get(engagements, engagement.id)).toMatchObject({ status: 'completed' });
});
