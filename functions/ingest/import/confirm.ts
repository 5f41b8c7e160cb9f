import { INGEST_OPERATION, queueImport } from '#shared/ingest/accept.ts';
import { taskFiles } from '#shared/ingest/submission.ts';
import { newTask, type QueuedResponse, taskRows } from '#shared/platform/jobs/task.ts';
import { conflict, notFound } from '#shared/platform/runtime/errors.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import type { Context } from '#shared/platform/table/context.ts';

const CONFIRM_OPERATION = 'close_held_findings';

/**
 * Queues the closing that a report's task held back; a caller that may write findings may confirm it.
 * @throws not_found, conflict, limit_exceeded
 */
export async function confirmHeld({ connections, table }: Context, heldTaskId: string): Promise<QueuedResponse> {
  const held = await table.rows(taskRows).find({ id: heldTaskId }, true);
  if (held?.operation !== INGEST_OPERATION) throw notFound('import', heldTaskId);
  const files = taskFiles(table.organizationId, heldTaskId);
  const submission = await connections.bucket.get(files.submission);
  if (!submission || (await connections.bucket.size(files.held)) === undefined)
    throw conflict(`The import ${heldTaskId} has no held closing, or the closing is already confirmed.`);
  const id = newId();
  await connections.bucket.put(taskFiles(table.organizationId, id).submission, submission);
  const task = newTask(table.actor, {
    id,
    operation: CONFIRM_OPERATION,
    job: 'ingest',
    unit: 'findings',
    input: { scope: String(held.input.scope), confirms: heldTaskId },
    reachesAll: true,
  });
  return queueImport({ connections, table }, task);
}
