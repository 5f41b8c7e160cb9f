import { queueImport } from '#shared/ingest/accept.ts';
import { importUndo } from '#shared/ingest/undo.ts';
import { newTask, type QueuedResponse } from '#shared/platform/jobs/task.ts';
import type { Context } from '#shared/platform/table/context.ts';

/**
 * Queues the undoing of an import.
 * @throws not_found, conflict with the reason why it cannot be undone, limit_exceeded
 */
export async function queueUndo(context: Context, taskId: string): Promise<QueuedResponse> {
  const request = { ...(await importUndo(context, taskId)), job: 'ingest', reachesAll: true } as const;
  return queueImport(context, newTask(context.table.actor, request));
}
