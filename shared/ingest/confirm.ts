import { conflict, notFound } from '../http/errors.ts';
import { newId } from '../ids.ts';
import { type QueuedResponse, queueTask, taskRows } from '../jobs/task.ts';
import type { Ports } from '../ports.ts';
import type { Table } from '../table/table.ts';
import { groupOf, INGEST_OPERATION } from './accept.ts';
import { taskFiles } from './submission.ts';

export const CONFIRM_OPERATION = 'close_held_findings';

/**
 * Queues the closing that a report's task held back; whoever may write findings may confirm it.
 * @throws not_found, conflict
 */
export async function confirmHeld(ports: Ports, table: Table, heldTaskId: string): Promise<QueuedResponse> {
  const held = await table.rows(taskRows).find({ id: heldTaskId }, true);
  if (held?.operation !== INGEST_OPERATION) throw notFound('import', heldTaskId);
  const files = taskFiles(table.organizationId, heldTaskId);
  const submission = await ports.bucket.get(files.submission);
  if (!submission || (await ports.bucket.size(files.held)) === undefined)
    throw conflict(`The import ${heldTaskId} holds nothing back, or it was confirmed already.`);
  const id = newId();
  await ports.bucket.put(taskFiles(table.organizationId, id).submission, submission);
  const scope = String(held.input.scope);
  return queueTask(ports, table, {
    id,
    operation: CONFIRM_OPERATION,
    job: 'ingest',
    unit: 'findings',
    input: { scope, confirms: heldTaskId },
    send: { group: groupOf(table, scope) },
  });
}
