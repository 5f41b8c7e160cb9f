import type { Context, SQSEvent } from 'aws-lambda';
import { expect, test } from 'vitest';
import { conflict, versionConflict } from '#shared/http/errors.ts';
import { newTask, taskRows } from '#shared/jobs/task.ts';
import { workerHandler } from '#shared/jobs/worker.ts';
import { startSystem } from '#test/support/system.ts';

const system = startSystem();
Object.assign(process.env, system.ports.settings);

/** Delivers the message of a new task to a worker that ends as told. */
async function deliver(run: () => Promise<Record<string, unknown>>) {
  const { table, organizationId } = await system.newOrganization();
  const task = newTask('x', { operation: 'test', job: 'engagements', unit: 'things', input: {} });
  await table.rows(taskRows).put(task);
  const record = {
    messageId: 'm',
    body: JSON.stringify({ organizationId, taskId: task.id }),
    attributes: { ApproximateReceiveCount: '1' },
  };
  const event = { Records: [record] } as unknown as SQSEvent;
  const { batchItemFailures } = await workerHandler('engagements', run)(event, {} as Context);
  const { status } = (await table.rows(taskRows).find({ id: task.id }, true)) ?? {};
  return { status, isTriedAgain: batchItemFailures.length > 0 };
}

test.each<[string, () => Promise<Record<string, unknown>>, object]>([
  ['ends', async () => ({}), { status: 'succeeded', isTriedAgain: false }],
  ['can never succeed', () => Promise.reject(conflict('Its pool is gone.')), { status: 'failed', isTriedAgain: false }],
  ['was overtaken too often', () => Promise.reject(versionConflict({})), { status: 'running', isTriedAgain: true }],
  ['met an outage', () => Promise.reject(new Error('refused')), { status: 'running', isTriedAgain: true }],
])('work that %s is not lost, and not tried for ever', async (_, run, outcome) => {
  expect(await deliver(run)).toEqual(outcome);
});
