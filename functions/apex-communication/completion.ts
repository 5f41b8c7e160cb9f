import { createHash } from 'node:crypto';
import type { ApexTask } from '#shared/entities/apex-task.ts';
import { newTask, type TaskRow, taskRows } from '#shared/jobs/task.ts';
import { now } from '#shared/runtime/clock.ts';
import { makeId } from '#shared/runtime/ids.ts';
import type { Table } from '#shared/table/table.ts';

/** Which completion: an appliance's of one attempt at a task. */
export type CompletionOf = { taskId: string; applianceId: string; attempt: number };

/**
 * An id that follows from what it is for, so that a request that is sent again finds what the first one queued.
 * A UUIDv7, with the time of the task.
 */
export function derivedId(taskId: string, ...of: readonly (string | number)[]): string {
  const hash = createHash('sha256')
    .update(JSON.stringify([taskId, ...of]))
    .digest();
  const milliseconds = Number.parseInt(taskId.replaceAll('-', '').slice(0, 12), 16);
  return makeId(hash.readUIntBE(0, 5), milliseconds, hash.subarray(5, 10));
}

/** The id of a completion, or of the task that reads its n-th report. */
export const completionId = ({ taskId, applianceId, attempt }: CompletionOf, report?: number): string =>
  derivedId(taskId, applianceId, attempt, report ?? 'end');

/** The row that remembers an answer for as long as tasks are kept. */
export function answerRow(
  table: Table,
  { id, operation, result }: { id: string; operation: string; result: Record<string, unknown> },
): TaskRow {
  const request = { id, operation, job: 'ingest', unit: 'reports', input: {} } as const;
  const time = now();
  return { ...newTask(table.actor.id, request), status: 'succeeded', result, startedAt: time, finishedAt: time };
}

/** An earlier completion of this task by this appliance, if there was one. */
export async function findCompletion(
  table: Table,
  { id: taskId, attempt: last }: ApexTask,
  applianceId: string,
): Promise<TaskRow | undefined> {
  const ids = Array.from({ length: last }, (_, n) => completionId({ taskId, applianceId, attempt: last - n }));
  const rows = await table.rows(taskRows).findMany(ids.map((id) => ({ id })));
  return rows.sort((a, b) => (a.createdAt < b.createdAt ? 1 : -1))[0];
}
