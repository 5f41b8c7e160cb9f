import { expect } from 'vitest';
import { toolReport } from './shop.ts';
import type { TestMachine, TestOrganization } from './system.ts';
import { finished } from './wait.ts';

/** A commit. */
export const sha = (letter: string) => letter.repeat(40);

/** A scanner takes a task and sends what its tool found. */
export async function scanned({ client }: TestMachine, rules: readonly string[]) {
  const { tasks } = await client.ok('leaseScannerTasks', { body: { capacity: 1 } });
  const [task] = tasks;
  if (!task) throw new Error('no task');
  const reports = [{ format: 'sarif', content: toolReport(rules) }];
  const results = [{ taskId: task.id, outcome: 'completed' as const, reports }];
  const answer = await client.ok('completeScannerTasks', { body: { results } });
  expect(await finished(client, answer.taskId)).toMatchObject({ status: 'succeeded' });
  return task;
}

/** The findings of a branch: rule and status. */
export const rulesOf = async ({ admin }: TestOrganization, ref: string) =>
  (await admin.ok('listFindings', { query: { ref } })).data
    .map(({ ruleId, status }) => `${ruleId} ${status}`)
    .toSorted();
