import { queueMany } from '#shared/findings/many/queue.ts';
import { isFinished, type QueuedResponse, queued, taskRows } from '#shared/jobs/task.ts';
import { inSeconds } from '#shared/runtime/clock.ts';
import type { Connections } from '#shared/runtime/connections.ts';
import { conflict, notFound } from '#shared/runtime/errors.ts';
import { derivedId } from '#shared/runtime/ids.ts';
import { retry } from '#shared/runtime/retry.ts';
import type { Table } from '#shared/table/table.ts';

const UNDOABLE_SECONDS = 86_400;

/**
 * Queues the undoing of a change of many findings, once: another call answers the same task.
 * @throws not_found, conflict
 */
export function undoUpdate(connections: Connections, table: Table, taskId: string): Promise<QueuedResponse> {
  const id = derivedId(taskId, 'undo');
  return retry(async () => {
    const rows = table.rows(taskRows);
    const [task, undoing] = await Promise.all([rows.find({ id: taskId }, true), rows.find({ id }, true)]);
    if (task?.operation !== 'update_findings') throw notFound('change of many findings', taskId);
    if (undoing) return queued(undoing);
    if (!isFinished(task)) throw conflict(`The change ${taskId} is under way: wait for the end of its task.`);
    if ((task.finishedAt ?? '') < inSeconds(-UNDOABLE_SECONDS))
      throw conflict(`The change ${taskId} ended at ${task.finishedAt}; a change can be undone for a day.`);
    return queueMany(connections, table, { id, operation: 'undo_findings_update', input: { undoes: taskId } });
  });
}
