import type { Context, SQSEvent } from 'aws-lambda';
import { expect, test, vi } from 'vitest';
import * as z from 'zod';
import { jobNames, jobs, queueName } from '#shared/platform/jobs/jobs.ts';
import { newTask, type TaskRow, taskRows } from '#shared/platform/jobs/task.ts';
import { type WorkerOptions, workerHandler } from '#shared/platform/jobs/worker.ts';
import { openConnections } from '#shared/platform/runtime/connections.ts';
import { conflict, Overtaken } from '#shared/platform/runtime/errors.ts';
import { log } from '#shared/platform/runtime/log.ts';
import { actor } from '../../../support/actor.ts';
import { startSystem } from '../../../support/system.ts';

const system = startSystem();
Object.assign(process.env, system.connections.settings);

const results = { create_engagement: z.looseObject({}) };

type Run = Parameters<typeof workerHandler>[1];

/** A new task whose message is delivered several times, each time to the given worker. */
async function newWork(changes: Partial<TaskRow> = {}) {
  const { table, organizationId } = await system.newOrganization();
  const task = newTask(actor(), { operation: 'create_engagement', job: 'engagements', unit: 'things', input: {} });
  await table.rows(taskRows).put({ ...task, ...changes });
  const read = () => table.rows(taskRows).find({ id: task.id }, true);
  const deliver = async (run: Run, { time = 1, options }: { time?: number; options?: Partial<WorkerOptions> } = {}) => {
    const record = {
      messageId: 'm',
      body: JSON.stringify({ organizationId, taskId: task.id }),
      attributes: { ApproximateReceiveCount: String(time) },
    };
    const event = { Records: [record] } as unknown as SQSEvent;
    const { batchItemFailures } = await workerHandler('engagements', run, { results, ...options })(
      event,
      {} as Context,
    );
    return batchItemFailures.length > 0;
  };
  return { read, deliver, rows: table.rows(taskRows), id: task.id };
}

test.each<[string, () => Promise<Record<string, unknown>>, object]>([
  ['ends', async () => ({}), { status: 'succeeded', isTriedAgain: false }],
  ['can never succeed', () => Promise.reject(conflict('Its pool is gone.')), { status: 'failed', isTriedAgain: false }],
  ['was overtaken too often', () => Promise.reject(new Overtaken({})), { status: 'running', isTriedAgain: true }],
  ['met an outage', () => Promise.reject(new Error('refused')), { status: 'running', isTriedAgain: true }],
])('work that %s is neither lost nor retried for ever', async (_, run, outcome) => {
  const { deliver, read } = await newWork();
  const isTriedAgain = await deliver(run);
  expect({ status: (await read())?.status, isTriedAgain }).toEqual(outcome);
});

test.each([
  ['lacks a field', {}],
  ['has one more', { made: 1, surprise: true }],
  ['belongs to an operation without a declared result', { made: 1 }],
])('a result that %s fails here, before a generated client stumbles over it', async (_, result) => {
  const { deliver, read } = await newWork();
  const declared =
    'made' in result && !('surprise' in result) ? {} : { create_engagement: z.object({ made: z.int() }) };
  expect(await deliver(async () => result, { options: { results: declared } })).toBe(true);
  expect(await read()).toMatchObject({ status: 'running' });
});

const time = jobs.engagements.attempts;

test.each(jobNames)(
  'work of the queue %s that met an outage is tried again soon, and later each time',
  async (name) => {
    const job = jobs[name];
    const { queues } = openConnections();
    const returned = vi.spyOn(queues, 'returnIn').mockResolvedValue();
    const firstWaits = [2, 12, 72, 432];
    for (let received = 1; received < job.attempts; received++) {
      const attributes = { ApproximateReceiveCount: String(received) };
      const record = { messageId: 'm', receiptHandle: 'r', body: '{}', attributes };
      await workerHandler(name, vi.fn<Run>(), { results })({ Records: [record] } as unknown as SQSEvent, {} as Context);
      const wait = firstWaits[received - 1] ?? 0;
      const [queue, receipt, seconds] = returned.mock.lastCall ?? [];
      expect([queue, receipt]).toEqual([queueName(job), 'r']);
      expect(seconds).toBeGreaterThanOrEqual(wait);
      expect(seconds).toBeLessThanOrEqual(Math.ceil(wait * 1.25));
    }
    expect(returned).toHaveBeenCalledTimes(job.attempts - 1);
    returned.mockRestore();
  },
);

test('an ended task keeps its status and is not worked again when a step after its end fails', async () => {
  const { deliver, read } = await newWork({ status: 'succeeded', result: { made: 3 } });
  const run = vi.fn<Run>();
  const followed = vi.fn<() => Promise<void>>().mockRejectedValueOnce(new Error('its queue does not answer'));
  const options = { finished: followed, deadLettered: vi.fn() };
  expect(await deliver(run, { time, options })).toBe(true);
  expect(await read()).toMatchObject({ status: 'succeeded', result: { made: 3 } });
  // redriven
  expect(await deliver(run, { options })).toBe(false);
  expect(followed).toHaveBeenCalledTimes(2);
  expect(run).not.toHaveBeenCalled();
  expect(options.deadLettered).not.toHaveBeenCalled();
});

test('the last delivery does not mark a task as failed that another worker has ended', async () => {
  const { deliver, read, rows, id } = await newWork();
  const overtaken = async () => {
    await rows.set({ id }, { status: 'succeeded', result: {} });
    throw new Error('changed by another worker');
  };
  expect(await deliver(overtaken, { time })).toBe(true);
  expect(await read()).toMatchObject({ status: 'succeeded' });
});

test('a task whose worker died at every attempt is shown as failed by the delivery after them, and gives up what it holds', async () => {
  const { deliver, read } = await newWork({ status: 'running' });
  const run = vi.fn<Run>();
  const deadLettered = vi.fn<() => Promise<void>>().mockRejectedValueOnce(new Error('the table does not answer'));
  expect(await deliver(run, { time: time + 1, options: { deadLettered } })).toBe(true);
  expect(await read()).toMatchObject({ status: 'failed', error: { code: 'dead_lettered' } });
  expect(await deliver(run, { time: time + 2, options: { deadLettered } })).toBe(true);
  expect(deadLettered).toHaveBeenCalledTimes(2);
  expect(run).not.toHaveBeenCalled();
});

test('a failure is logged with its task and its organization', async () => {
  const { deliver, id } = await newWork();
  const logged = vi.spyOn(log, 'error');
  await deliver(() => Promise.reject(new Error('refused')));
  expect(logged).toHaveBeenCalledWith(
    'job failed',
    expect.objectContaining({ job: 'engagements', taskId: id, organizationId: expect.any(String) }),
  );
  logged.mockRestore();
});

test('a task that failed at every attempt is shown as failed, and as running once it is redriven', async () => {
  const { deliver, read } = await newWork();
  const deadLettered = vi.fn();
  expect(await deliver(() => Promise.reject(new Error('refused')), { time, options: { deadLettered } })).toBe(true);
  expect(await read()).toMatchObject({ status: 'failed', error: { code: 'dead_lettered' } });
  expect(deadLettered).toHaveBeenCalledOnce();
  let seen: TaskRow | undefined;
  const redriven = async () => {
    seen = await read();
    return {};
  };
  expect(await deliver(redriven)).toBe(false);
  expect(seen).toMatchObject({ status: 'running' });
  expect(seen).not.toHaveProperty('finishedAt');
  expect(seen).not.toHaveProperty('error');
  expect(await read()).toMatchObject({ status: 'succeeded' });
});
