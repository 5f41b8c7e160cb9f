import { createHash } from 'node:crypto';
import type { ScannerTask } from '#shared/entities/scanner-task.ts';
import { newTask, type TaskRow, taskRows } from '#shared/jobs/task.ts';
import { inSeconds, now } from '#shared/runtime/clock.ts';
import { makeId } from '#shared/runtime/ids.ts';
import type { Table } from '#shared/table/table.ts';

/** Which completion: a scanner's of one attempt at a task. */
export type CompletionOf = { taskId: string; scannerId: string; attempt: number };

/**
 * The id of a completion, or of the task that reads its n-th report. It follows from the attempt, so that a completion
 * that is sent again finds what the first one queued. A UUIDv7, with the time of the task.
 */
export function completionId({ taskId, scannerId, attempt }: CompletionOf, report?: number): string {
  const hash = createHash('sha256')
    .update(`${taskId} ${scannerId} ${attempt} ${report ?? ''}`)
    .digest();
  const milliseconds = Number.parseInt(taskId.replaceAll('-', '').slice(0, 12), 16);
  return makeId(hash.readUIntBE(0, 5), milliseconds, hash.subarray(5, 10));
}

/** The row that remembers a completion for as long as tasks are kept. */
export function completionRow(table: Table, id: string, result: Record<string, unknown>): TaskRow {
  const request = { id, operation: 'complete_scanner_task', job: 'ingest', unit: 'reports', input: {} } as const;
  const time = now();
  return { ...newTask(table.actor.id, request), status: 'succeeded', result, startedAt: time, finishedAt: time };
}

/** An earlier completion of this task by this scanner, if there was one. */
export async function findCompletion(table: Table, task: ScannerTask, scannerId: string): Promise<TaskRow | undefined> {
  const attempts = Array.from({ length: task.attempt }, (_, n) => task.attempt - n);
  const ids = attempts.map((attempt) => ({ id: completionId({ taskId: task.id, scannerId, attempt }) }));
  const rows = await table.rows(taskRows).findMany(ids);
  return rows.sort((a, b) => (a.createdAt < b.createdAt ? 1 : -1))[0];
}

/** A lease that ends sooner is renewed before its reports are taken, so that it cannot end in between. */
const SAFE_LEASE_SECONDS = 120;
export const isLeaseSafe = (until: number): boolean => until > Date.parse(inSeconds(SAFE_LEASE_SECONDS));
