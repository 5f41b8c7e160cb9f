import type { Caller } from '#shared/auth/permissions.ts';
import {
  EXPORT_DAYS,
  EXPORT_FORMATS,
  EXPORT_OPERATION,
  type ExportInput,
  ExportResult,
  exportFiles,
} from '#shared/findings/export.ts';
import { findingSelection } from '#shared/findings/filter.ts';
import { outboxWrites, sendOutbox } from '#shared/jobs/outbox.ts';
import { newTask, type QueuedResponse, queued, type TaskRow, taskRows } from '#shared/jobs/task.ts';
import { takePlace } from '#shared/quotas/places.ts';
import { signDownload } from '#shared/runtime/bucket-parts.ts';
import { inSeconds } from '#shared/runtime/clock.ts';
import type { Connections } from '#shared/runtime/connections.ts';
import { conflict, invalid, notFound } from '#shared/runtime/errors.ts';
import { retry } from '#shared/runtime/retry.ts';
import type { Table } from '#shared/table/table.ts';
import type { FindingsExport } from './routes.ts';

type Request = { connections: Connections; table: Table };

/** An export that was not worked for so long holds its place no longer. */
const PLACE_SECONDS = 86_400;

/** Queues an export. The filters are those of the caller: `me` is who asks. @throws validation_failed, limit_exceeded */
export function queueExport(
  { connections, table, caller }: Request & { caller: Caller },
  { format, columns, filter }: FindingsExport,
): Promise<QueuedResponse> {
  if (columns && !['csv', 'jsonl'].includes(format))
    throw invalid('columns', `belongs to csv and jsonl: leave it out for ${format}`);
  const input: ExportInput = { format, selection: findingSelection(filter, caller), ...(columns && { columns }) };
  const task = newTask(table.actor, { operation: EXPORT_OPERATION, job: 'exports', unit: 'findings', input });
  return retry(async () => {
    const batch = table.batch();
    batch.write(...outboxWrites(table, task));
    await takePlace(table, batch, { kind: 'exports', id: task.id, until: inSeconds(PLACE_SECONDS) });
    await batch.commit();
    await sendOutbox(connections, table, { task });
    return queued(task);
  });
}

/** An export with a fresh address of its file, once that is written. @throws not_found, conflict */
export async function exportAnswer({ connections, table }: Request, taskId: string) {
  const task = await table.rows(taskRows).find({ id: taskId }, true);
  if (task?.operation !== EXPORT_OPERATION) throw notFound('export', taskId);
  const { status, progress, error = null } = task;
  const file = status === 'succeeded' ? await fileOf({ connections, table }, task) : null;
  return { taskId, status, progress, error, file };
}

/** Longer addresses would outlive the credentials of the function that signs them. */
const URL_SECONDS = 900;
const DAY_MS = 86_400_000;

async function fileOf({ connections, table }: Request, task: TaskRow) {
  const { findings, entries, sizeBytes, format } = ExportResult.parse(task.result);
  const { file: key } = exportFiles(table.organizationId, task.id);
  if ((await connections.bucket.size(key)) === undefined)
    throw conflict(`The file of export ${task.id} was removed after ${EXPORT_DAYS} days: export again.`);
  const { ending, mediaType } = EXPORT_FORMATS[format];
  const name = `findings-${task.createdAt.slice(0, 10)}.${ending}`;
  const url = await signDownload(connections.bucket, { key, name, mediaType, seconds: URL_SECONDS });
  const expiresAt = new Date(Date.parse(task.finishedAt ?? task.updatedAt) + EXPORT_DAYS * DAY_MS).toISOString();
  return { name, mediaType, sizeBytes, findings, entries, url, urlExpiresAt: inSeconds(URL_SECONDS), expiresAt };
}
