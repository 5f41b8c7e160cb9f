import type { Operation } from '#shared/platform/jobs/operations.ts';
import { doneTask, newTaskWrites, type TaskRow, taskRows } from '#shared/platform/jobs/task.ts';
import { derivedId, newId } from '#shared/platform/runtime/ids.ts';
import type { Table } from '#shared/platform/table/table.ts';
import type { MachineAnswerResult } from './results.ts';

/** A machine's completion of one attempt at a task. */
export type Completion = { taskId: string; machineId: string; attempt: number };

/**
 * The id of a completion, or of the task that reads its n-th report: the same for the same attempt, so that a repeated
 * result finds the tasks of the first one.
 */
export const completionId = ({ taskId, machineId, attempt }: Completion, report?: number): string =>
  derivedId(taskId, machineId, attempt, report ?? 'end');

type Answer = { id: string; operation: Operation; result: MachineAnswerResult };

/** The row that remembers an answer for as long as tasks are kept: a task that has succeeded. */
export function answerRow(table: Table, { id, operation, result }: Answer): TaskRow {
  return doneTask(table.actor, { id, operation, job: 'ingest', unit: 'reports', result });
}

/** Remembers an answer that queued nothing. @returns the id of its task, which has succeeded */
export async function noteAnswer(table: Table, operation: Operation, accepted: number): Promise<string> {
  const id = newId();
  await table.write(...newTaskWrites(table, answerRow(table, { id, operation, result: { accepted } })));
  return id;
}

/**
 * This machine's latest completion of the task: of its current attempt, or with this outcome of an earlier one. Rows
 * from before 1.8 name no outcome.
 */
export async function findCompletion(
  table: Table,
  { taskId, machineId, attempt: last }: Completion,
  outcome: string,
): Promise<TaskRow | undefined> {
  const ids = Array.from({ length: last }, (_, n) => completionId({ taskId, machineId, attempt: last - n }));
  const rows = await table.rows(taskRows).findMany(ids.map((id) => ({ id })));
  const reported = rows.filter(({ id, result }) => id === ids[0] || (result?.outcome ?? outcome) === outcome);
  return reported.sort((a, b) => (a.createdAt < b.createdAt ? 1 : -1))[0];
}
