import type { Operation } from '#shared/platform/jobs/operations.ts';
import { isFinished, isOfPart, type QueuedResponse, queued, taskRows } from '#shared/platform/jobs/task.ts';
import { answerWithin } from '#shared/platform/jobs/wait.ts';
import { inSeconds } from '#shared/platform/runtime/clock.ts';
import { conflict, notFound } from '#shared/platform/runtime/errors.ts';
import { derivedId } from '#shared/platform/runtime/ids.ts';
import { retry } from '#shared/platform/runtime/retry.ts';
import type { Context } from '#shared/platform/table/context.ts';
import { queueMany } from './queue.ts';

const UNDOABLE_SECONDS = 86_400;

/**
 * The operation whose changes are undone, the operation that undoes them, and the name of such a change for callers.
 */
type Undo = { of: Operation; by: Operation; name: string };

export const FINDINGS_UNDO: Undo = {
  of: 'update_findings',
  by: 'undo_findings_update',
  name: 'change of many findings',
};

/**
 * Queues the undoing of a change of many records, once: another call answers the same task.
 * @throws not_found, conflict
 */
export function undoUpdate(
  { connections, table }: Context,
  { of, by, name }: Undo,
  taskId: string,
): Promise<QueuedResponse> {
  const id = derivedId(taskId, 'undo');
  return retry(async () => {
    const rows = table.rows(taskRows);
    const [task, undoing] = await Promise.all([rows.find({ id: taskId }, true), rows.find({ id }, true)]);
    if (task?.operation !== of || !isOfPart(table, task)) throw notFound(name, taskId);
    if (undoing) return queued(undoing);
    if (!isFinished(task)) throw conflict(`The change ${taskId} is under way: wait for the end of its task.`);
    if ((task.finishedAt ?? '') < inSeconds(-UNDOABLE_SECONDS))
      throw conflict(`The change ${taskId} ended at ${task.finishedAt}; a change can be undone for a day.`);
    return queueMany(
      { connections, table },
      { id, operation: by, unit: task.progress.unit, input: { undoes: taskId } },
    );
  });
}

/** The same for a request that waits for the task. */
export const answerUndo = async (
  { connections, table, params, query }: Context & { params: { taskId: string }; query: { waitSeconds: number } },
  undo: Undo,
) => answerWithin(table, await undoUpdate({ connections, table }, undo, params.taskId), query.waitSeconds);
