import type * as z from 'zod';
import type { Operation } from '../jobs/operations.ts';
import { outboxWrites, sendOutbox } from '../jobs/outbox.ts';
import {
  isFinished,
  newTask,
  publicTask,
  type QueuedResponse,
  queued,
  type TaskRow,
  taskRows,
  taskStep,
} from '../jobs/task.ts';
import { answerWithin, waitForTask } from '../jobs/wait.ts';
import { giveUpPlace, takePlace } from '../quotas/places.ts';
import { signDownload } from '../runtime/bucket-parts.ts';
import { DAY_MS, inSeconds, now } from '../runtime/clock.ts';
import { conflict, notFound, Overtaken } from '../runtime/errors.ts';
import { retry } from '../runtime/retry.ts';
import type { Context } from '../table/context.ts';
import type { Table } from '../table/table.ts';
import { EXPORT_DAYS, EXPORT_FORMATS, type ExportFormat, exportFiles } from './export.ts';

/**
 * Exports of one kind of records: the operation of their tasks, the name of their files, the final text of the task.
 */
type ExportKind<R> = { operation: Operation; unit: string; result: z.ZodType<R> };

/** An export that was not worked for so long holds its place no longer. */
const PLACE_SECONDS = 86_400;

type Asked = { input: Record<string, unknown>; waitSeconds: number };

/** Queues an export, and answers with its file if that is written within `waitSeconds`. @throws limit_exceeded */
export async function exportFile<R extends { format: ExportFormat; sizeBytes: number }>(
  context: Context,
  kind: ExportKind<R>,
  { input, waitSeconds }: Asked,
) {
  const answer = await answerWithin(context.table, await queueFile(context, kind, input), waitSeconds);
  if (answer.status !== 'succeeded') return answer;
  const { file } = await fileAnswer(context, kind, { taskId: answer.taskId, waitSeconds: 0 });
  return file ? { ...answer, file } : answer;
}

function queueFile(
  { connections, table }: Context,
  { operation, unit }: Pick<ExportKind<unknown>, 'operation' | 'unit'>,
  input: Record<string, unknown>,
): Promise<QueuedResponse> {
  const task = newTask(table.actor, { operation, job: 'exports', unit, input });
  return retry(async () => {
    const batch = table.batch();
    batch.write(...outboxWrites(table, task));
    await takePlace(table, batch, { kind: 'exports', id: task.id, until: inSeconds(PLACE_SECONDS) });
    await batch.commit();
    await sendOutbox({ connections, table }, { task });
    return queued(task);
  });
}

/** Ends an export before its file is written: its worker fails at the next step and finds the task ended. @throws not_found, conflict */
export async function cancelExport(
  table: Table,
  { operation }: Pick<ExportKind<unknown>, 'operation'>,
  taskId: string,
) {
  const cancelled = await retry(async () => {
    const task = await table.rows(taskRows).find({ id: taskId }, true);
    if (task?.operation !== operation) throw notFound('export', taskId);
    if (isFinished(task)) throw conflict('The export has ended: there is nothing to cancel.');
    const { next, write } = taskStep(table, task, { status: 'cancelled', finishedAt: now() });
    await table.write({ ...write, fail: () => new Overtaken() });
    return next;
  });
  await giveUpPlace(table, 'exports', taskId);
  return publicTask(cancelled);
}

/** An export with a fresh address of its file, once that is written: after `waitSeconds` at most. @throws not_found, conflict */
export async function fileAnswer<R extends { format: ExportFormat; sizeBytes: number }>(
  { connections, table }: Context,
  kind: ExportKind<R>,
  { taskId, waitSeconds }: { taskId: string; waitSeconds: number },
) {
  const task = await waitForTask(table, taskId, waitSeconds);
  if (task?.operation !== kind.operation) throw notFound('export', taskId);
  const { status, progress, error = null } = task;
  const file = status === 'succeeded' ? await fileOf({ connections, table }, kind, task) : null;
  return { taskId, status, progress, error, file };
}

/** Longer addresses would outlive the credentials of the function that signs them. */
const URL_SECONDS = 900;
async function fileOf<R extends { format: ExportFormat; sizeBytes: number }>(
  { connections, table }: Context,
  kind: ExportKind<R>,
  task: TaskRow,
) {
  const { format, ...result } = kind.result.parse(task.result);
  const { file: key } = exportFiles(table.organizationId, task.id);
  if ((await connections.bucket.size(key)) === undefined)
    throw conflict(`The file of export ${task.id} was removed after ${EXPORT_DAYS} days: export again.`);
  const { ending, mediaType } = EXPORT_FORMATS[format];
  const name = `${kind.unit}-${task.createdAt.slice(0, 10)}.${ending}`;
  const url = await signDownload(connections.bucket, { key, name, mediaType, seconds: URL_SECONDS });
  const expiresAt = new Date(Date.parse(task.finishedAt ?? task.updatedAt) + EXPORT_DAYS * DAY_MS).toISOString();
  return { ...result, name, mediaType, url, urlExpiresAt: inSeconds(URL_SECONDS), expiresAt };
}
