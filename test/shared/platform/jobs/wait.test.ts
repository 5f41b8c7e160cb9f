import type { Context } from 'aws-lambda';
import { expect, test } from 'vitest';
import { newTask, taskRows } from '#shared/platform/jobs/task.ts';
import { waitForTask } from '#shared/platform/jobs/wait.ts';
import { withinTime } from '#shared/platform/runtime/deadline.ts';
import { actor } from '../../../support/actor.ts';
import { newOrganization, useStore } from '../../../support/store.ts';

const store = useStore();

test('a request that has little time left answers with its task as it is, and does not end in an error', async () => {
  const table = newOrganization(store.dynamo);
  const task = newTask(actor(), { operation: 'make_report', job: 'reports', unit: 'sections', input: {} });
  await table.rows(taskRows).put(task);
  const context = { getRemainingTimeInMillis: () => 5_200 } as Context;
  const answer = await withinTime(context, () => waitForTask(table, task.id, 20));
  expect(answer).toMatchObject({ id: task.id, status: 'queued' });
});
