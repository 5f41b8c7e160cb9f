import type { Context, SQSEvent } from 'aws-lambda';
import { afterEach, expect, test, vi } from 'vitest';
import * as z from 'zod';
import { amongSuspects, WorkerDied } from '#shared/platform/jobs/attempts.ts';
import { type JobName, jobNames, jobs } from '#shared/platform/jobs/jobs.ts';
import { newTask, type TaskRow, taskRows } from '#shared/platform/jobs/task.ts';
import { type WorkerOptions, workerHandler } from '#shared/platform/jobs/worker.ts';
import { openConnections } from '#shared/platform/runtime/connections.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { makeVictim } from '../../../functions/workers/imports/crash.ts';
import { actor } from '../../../support/actor.ts';
import { startSystem } from '../../../support/system.ts';

/*
 * A worker that dies at a message, in each job: the second death ends the message with a reason, and the next one of its group is worked.
 * A dead worker writes nothing any more, as a killed process does.
 */
const system = startSystem();
Object.assign(process.env, system.connections.settings);
vi.spyOn(openConnections().queues, 'returnIn').mockResolvedValue();
const victim = await makeVictim(openConnections());
afterEach(() => victim.restart());

const dies = async () => {
  victim.killAt(1, 'before');
  throw new Error('killed');
};

type Sent = { messageId: string; group: string; message: object; received: number };
type Run = Parameters<typeof workerHandler>[1];

/** @returns whether the message is done */
async function deliver(name: JobName, sent: Sent, run: Run, options: Partial<WorkerOptions> = {}): Promise<boolean> {
  sent.received += 1;
  const attributes = { ApproximateReceiveCount: String(sent.received), MessageGroupId: sent.group };
  const record = { messageId: sent.messageId, receiptHandle: 'r', body: JSON.stringify(sent.message), attributes };
  const handler = workerHandler(name, run, { results: {}, ...options });
  const { batchItemFailures } = await handler({ Records: [record] } as unknown as SQSEvent, {} as Context);
  victim.restart();
  return batchItemFailures.length === 0;
}

async function queuedTask(
  table: Table,
  job: JobName,
): Promise<{ id: string; sent: Sent; read: () => Promise<TaskRow | undefined> }> {
  const task = newTask(actor(), { operation: 'create_engagement', job, unit: 'things', input: {} });
  await table.rows(taskRows).put(task);
  const { organizationId } = table;
  const message = { organizationId, taskId: task.id };
  const sent = { messageId: newId(), group: organizationId, message, received: 0 };
  return { id: task.id, sent, read: () => table.rows(taskRows).find({ id: task.id }, true) };
}

const results = { create_engagement: z.looseObject({}) };
const withTasks = jobNames.filter(
  (name) => jobs[name].message.safeParse({ organizationId: newId(), taskId: newId() }).success,
);
/** The messages of jobs that name something else than a task, with what they name. */
const NAMED: Partial<Record<JobName, object>> = {
  siem: { collectorId: newId(), batchId: '1' },
  deliveries: { kind: 'webhook', readerId: newId() },
  views: {},
};
const withoutTasks = jobNames.filter((name) => name in NAMED);

test('the two lists have every job', () => {
  expect([...new Set([...withTasks, ...withoutTasks])].sort()).toEqual([...jobNames].sort());
});

test.each(withTasks)(
  'a task of %s at which its worker dies twice fails with a reason, and the next one is worked',
  async (name) => {
    const { table } = await system.newOrganization();
    const [poison, next] = [await queuedTask(table, name), await queuedTask(table, name)];
    const deadLettered = vi.fn<(work: { task: TaskRow }) => Promise<void>>().mockResolvedValue();
    const run = vi.fn<Run>(dies);
    for (const died of [1, 2]) {
      expect(await deliver(name, poison.sent, run, { deadLettered })).toBe(false);
      expect(await poison.read()).toMatchObject({ status: 'running', attempt: { unanswered: died } });
    }
    expect(await deliver(name, poison.sent, run, { deadLettered })).toBe(false);
    expect(run).toHaveBeenCalledTimes(2);
    const error = { code: 'worker_died', message: expect.stringContaining('died at 2 attempts') };
    expect(await poison.read()).toMatchObject({ status: 'failed', error });
    expect(deadLettered.mock.lastCall?.[0].task).toMatchObject({ status: 'failed', error });
    expect(await deliver(name, next.sent, async () => ({}), { results })).toBe(true);
    expect(await next.read()).toMatchObject({ status: 'succeeded' });
    // every further delivery until the queue makes it a dead letter
    expect(await deliver(name, poison.sent, run)).toBe(false);
    expect(run).toHaveBeenCalledTimes(2);
    const redriven = { ...poison.sent, messageId: newId(), received: 0 };
    expect(await deliver(name, redriven, async () => ({}), { results })).toBe(true);
    expect(await poison.read()).toMatchObject({ status: 'succeeded' });
  },
);

test.each(withoutTasks)(
  'a message of %s without a task at which its worker dies twice is given up with a reason',
  async (name) => {
    const { organizationId } = await system.newOrganization();
    const message = { organizationId, ...NAMED[name] };
    const send = (): Sent => ({ messageId: newId(), group: organizationId, message, received: 0 });
    const poison = send();
    const visitGivenUp = vi.fn<NonNullable<WorkerOptions['visitGivenUp']>>().mockResolvedValue();
    const visit = vi.fn<NonNullable<WorkerOptions['visit']>>(dies);
    const noTask = vi.fn<Run>();
    for (const _ of [1, 2, 3]) expect(await deliver(name, poison, noTask, { visit, visitGivenUp })).toBe(false);
    expect(visit).toHaveBeenCalledTimes(2);
    const reason = { code: 'worker_died', message: expect.stringContaining('died at 2 attempts') };
    expect(visitGivenUp.mock.calls).toEqual([[expect.anything(), message, reason]]);
    visit.mockResolvedValue();
    expect(await deliver(name, send(), noTask, { visit })).toBe(true);
    expect(await deliver(name, { ...poison, messageId: newId(), received: 0 }, noTask, { visit })).toBe(true);
  },
);

test('a dependency that fails is no death, however often it does between deaths', async () => {
  const { table } = await system.newOrganization();
  const { sent, read } = await queuedTask(table, 'exports');
  const fails = () => Promise.reject(new Error('the code host answers 503'));
  await deliver('exports', sent, fails);
  await deliver('exports', sent, dies);
  await deliver('exports', sent, fails);
  expect(await read()).toMatchObject({ status: 'running', attempt: { unanswered: 1 } });
  expect(await deliver('exports', sent, async () => ({}), { results })).toBe(true);
  expect(await read()).toMatchObject({ status: 'succeeded' });
});

test('messages whose worker died before are worked one at a time, so that one alone is blamed for the next death', async () => {
  let atOnce = 0;
  const work = async () => {
    expect(++atOnce).toBe(1);
    await new Promise((resolve) => setTimeout(resolve, 5));
    atOnce--;
  };
  const all = [
    amongSuspects(1, work),
    amongSuspects(1, () => Promise.reject(new Error('fails'))),
    amongSuspects(1, work),
  ];
  expect((await Promise.allSettled(all)).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  await expect(amongSuspects(2, work)).rejects.toThrow(WorkerDied);
});
