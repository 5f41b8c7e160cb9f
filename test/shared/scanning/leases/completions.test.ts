import { beforeEach, describe, expect, test } from 'vitest';
import { LEASE_SECONDS } from '#shared/scanning/leases/lease.ts';
import { LEASE_WORLDS, type LeaseWorld } from '../../../support/lease-worlds.ts';
import { stopClock } from '../../../support/scanning-world.ts';
import { useStore } from '../../../support/store.ts';

const store = useStore();

const done = (taskId: string) => ({ taskId, outcome: 'completed' });
const failed = (taskId: string) => ({ taskId, outcome: 'failed', error: { code: 'unreachable', message: 'no route' } });
const report = {
  format: 'nuclei',
  content: '{"template-id":"a","info":{"name":"n","severity":"low"},"host":"10.0.0.1"}',
};

describe.each(LEASE_WORLDS)('what every %s reports of its tasks', (_kind, open) => {
  let world: LeaseWorld;
  let clock: ReturnType<typeof stopClock>;
  beforeEach(() => {
    clock = stopClock();
    world = open(store.dynamo);
  });

  /** A machine that holds a task for each of the addresses. */
  async function newHolder(...addresses: string[]) {
    const id = await world.link();
    await world.offer(addresses);
    const { tasks } = await world.poll(id, { capacity: addresses.length });
    const [taskId = '', other = ''] = tasks.map((task) => task.id);
    return { id, taskId, other };
  }

  test('a completion sent twice is answered the same and does nothing twice', async () => {
    const { id, taskId } = await newHolder('10.0.0.1');
    const first = await world.complete(id, [{ ...done(taskId), reports: [report] }]);
    const sent = world.sent.length;
    expect(await world.complete(id, [{ ...done(taskId), reports: [report] }])).toEqual(first);
    expect(first.results[0]?.ingestTaskIds).toEqual([first.taskId]);
    expect(world.sent.length).toBe(sent);
    await world.expectExactCounters();
  });

  test('a failure sent twice uses up one attempt', async () => {
    const { id, taskId } = await newHolder('10.0.0.1');
    const first = await world.complete(id, [failed(taskId)]);
    expect((await world.complete(id, [failed(taskId)])).results).toEqual(first.results);
    expect(await world.readTask(taskId)).toMatchObject({ status: 'pending', attempt: 1 });
  });

  test('a result that arrives when its lease is over is refused, also after another outcome of an earlier attempt', async () => {
    const { id, taskId } = await newHolder('10.0.0.1');
    await world.complete(id, [failed(taskId)]);
    expect((await world.poll(id)).tasks).toMatchObject([{ id: taskId, attempt: 2 }]);
    clock.pass(LEASE_SECONDS + 1);
    await world.sweep();
    const sent = world.sent.length;
    const late = await world.complete(id, [{ ...done(taskId), reports: [report] }]);
    expect(late.results).toMatchObject([{ taskId, accepted: false, code: 'not_held' }]);
    // nothing of its report is imported
    expect(world.sent.length).toBe(sent);
  });

  test('one wrong result loses none of the others', async () => {
    const { id, taskId, other } = await newHolder('10.0.0.1', '10.0.0.2');
    const unknown = '01931f7e-0000-7000-8000-00000000dead';
    const { results } = await world.complete(id, [
      { taskId, outcome: 'perhaps' },
      done(unknown),
      done(other),
      { ...done(taskId), reports: [{ format: 'docx', content: 'x' }] },
    ]);
    expect(results).toMatchObject([
      { taskId, accepted: false, code: 'validation_failed' },
      { taskId: unknown, accepted: false, code: 'not_found' },
      { taskId: other, accepted: true },
      { taskId, accepted: false, code: 'unsupported_format' },
    ]);
    expect(await world.readTask(taskId)).toMatchObject({ status: 'pending', error: { code: 'unsupported_format' } });
  });

  test('results beside a result that cannot be accepted now are settled, and the request may be sent again', async () => {
    const { id, taskId, other } = await newHolder('10.0.0.1', '10.0.0.2');
    const { put } = world.connections.bucket;
    world.connections.bucket.put = async () => {
      throw new Error('the bucket does not answer');
    };
    const results = [done(taskId), { ...done(other), reports: [report] }];
    await expect(world.complete(id, results)).rejects.toThrow('the bucket does not answer');
    expect(await world.readTask(taskId)).toMatchObject({ status: 'completed' });
    expect(await world.readTask(other)).toMatchObject({ status: 'running' });
    world.connections.bucket.put = put;
    expect((await world.complete(id, results)).results).toMatchObject([{ accepted: true }, { accepted: true }]);
  });

  test('a request that queued no report is remembered with how many of its results were taken', async () => {
    const { id, taskId, other } = await newHolder('10.0.0.1', '10.0.0.2');
    const { taskId: noted } = await world.complete(id, [done(taskId), failed(other), failed(other), { taskId: 'x' }]);
    expect(await world.readNote(noted)).toMatchObject({ status: 'succeeded', result: { accepted: 3 } });
  });

  describe('while someone cancels', () => {
    test('a waiting task is cancelled at once, is never handed out, and cannot be cancelled again', async () => {
      const id = await world.link();
      await world.offer(['10.0.0.1']);
      const [task] = await world.listTasks();
      const taskId = String(Reflect.get(task ?? {}, 'id'));
      expect(await world.cancel(taskId)).toMatchObject({ status: 'cancelled' });
      expect((await world.poll(id)).tasks).toEqual([]);
      await expect(world.cancel(taskId)).rejects.toMatchObject({ code: 'conflict' });
      await world.expectExactCounters();
    });

    test('a running task is cancelled once its machine has heard of it', async () => {
      const { id, taskId } = await newHolder('10.0.0.1');
      expect(await world.cancel(taskId)).toMatchObject({ status: 'running' });
      const { cancel } = await world.poll(id, { running: [{ taskId, progress: 0.1 }] });
      expect(cancel).toEqual([{ taskId, reason: 'cancelled' }]);
      await world.complete(id, [{ taskId, outcome: 'cancelled' }]);
      expect(await world.readTask(taskId)).toMatchObject({ status: 'cancelled' });
    });

    test('a completion is taken: the work was done', async () => {
      const { id, taskId } = await newHolder('10.0.0.1');
      await Promise.allSettled([world.cancel(taskId), world.complete(id, [done(taskId)])]);
      expect(await world.readTask(taskId)).toMatchObject({ status: 'completed' });
      await world.expectExactCounters();
    });

    test('a task whose machine never answers is cancelled when its lease ends', async () => {
      const { taskId } = await newHolder('10.0.0.1');
      await world.cancel(taskId);
      clock.pass(LEASE_SECONDS + 1);
      await world.sweep();
      expect(await world.readTask(taskId)).toMatchObject({ status: 'cancelled' });
    });
  });

  describe('while its reports are taken', () => {
    /** A task that is being completed; `before` happens before the claim, `act` between the claim and the record. */
    async function completeWhile(
      outcome: 'completed' | 'failed',
      act: (id: string, taskId: string) => unknown,
      before = () => {},
    ) {
      const { id, taskId, other } = await newHolder('10.0.0.1', '10.0.0.2');
      before();
      const put = world.connections.bucket.put.bind(world.connections.bucket);
      world.connections.bucket.put = async (...file) => {
        world.connections.bucket.put = put;
        await act(id, taskId);
        return put(...file);
      };
      const { results } = await world.complete(id, [{ taskId, outcome, reports: [report] }]);
      await world.expectExactCounters();
      return { result: results[0], task: await world.readTask(taskId), id, other };
    }

    test('a poll that renews and a cancellation take nothing from work that was done', async () => {
      const { result, task, id, other } = await completeWhile('completed', async (holder, taskId) => {
        clock.pass(61);
        await world.poll(holder, { capacity: 0, running: [{ taskId, progress: 0.9 }] });
        await world.cancel(taskId);
      });
      expect(result).toMatchObject({ accepted: true });
      expect(task).toMatchObject({ status: 'completed' });
      expect((await world.poll(id, { running: [{ taskId: other, progress: 0 }] })).lost).toEqual([]);
    });

    test.each([
      ['two minutes before its end is safe while its reports are taken', 120, true],
      ['a moment earlier ends when it was to end', 120.001, false],
    ])('a lease %s', async (_, left, accepted) => {
      const { result } = await completeWhile(
        'completed',
        async () => {
          clock.pass(left);
          await world.sweep();
        },
        () => clock.pass(LEASE_SECONDS - left),
      );
      expect(result).toMatchObject({ accepted });
    });

    test('a failure of a task that someone cancelled meanwhile is its end', async () => {
      const { task } = await completeWhile('failed', (_, taskId) => world.cancel(taskId));
      expect(task).toMatchObject({ status: 'cancelled' });
    });

    test('a task that was given back meanwhile is refused, and goes to another', async () => {
      const { result, task } = await completeWhile('completed', async () => {
        clock.pass(LEASE_SECONDS + 1);
        await world.sweep();
      });
      expect(result).toMatchObject({ accepted: false, code: 'not_held' });
      expect(task).toMatchObject({ status: 'pending' });
    });
  });
});
