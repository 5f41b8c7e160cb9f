import type { Operation } from '#shared/platform/jobs/operations.ts';
import { isFinished, isOfPart, type QueuedResponse, queued, taskRows } from '#shared/platform/jobs/task.ts';
import { answerWithin } from '#shared/platform/jobs/wait.ts';
import { inSeconds } from '#shared/platform/runtime/clock.ts';
import { conflict, notFound } from '#shared/platform/runtime/errors.ts';
import { derivedId } from '#shared/platform/runtime/ids.ts';
import { retry } from '#shared/platform/runtime/retry.ts';
import type { Context } from '#shared/platform/table/context.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { queueMany } from './queue.ts';

const UNDOABLE_SECONDS = 86_400;

/**
 * The operation whose changes are undone, the operation that undoes them, and the name of such a change for callers.
 */
type Undo = { of: Operation; by: Operation; name: string };

/** The operations that undo changes of many records. */
export const UNDOES = {
  undoFindingsUpdate: { of: 'update_findings', by: 'undo_findings_update', name: 'change of many findings' },
  undoVulnerabilitiesUpdate: {
    of: 'update_vulnerabilities',
    by: 'undo_vulnerabilities_update',
    name: 'decision on vulnerabilities',
  },
  undoExposedCredentialsUpdate: {
    of: 'update_exposed_credentials',
    by: 'undo_exposed_credentials_update',
    name: 'change of many exposed credentials',
  },
  undoAlertsUpdate: { of: 'update_alerts', by: 'undo_alerts_update', name: 'change of many alerts' },
  undoIncidentsUpdate: { of: 'update_incidents', by: 'undo_incidents_update', name: 'change of many incidents' },
} as const satisfies Record<string, Undo>;
export type UndoName = keyof typeof UNDOES;

/**
 * Queues the undoing of a change of many records, once: another call answers the same task.
 * @throws not_found, conflict
 */
export function undoUpdate({ connections, table }: Context, undo: Undo, taskId: string): Promise<QueuedResponse> {
  const id = derivedId(taskId, 'undo');
  return retry(async () => {
    const undoing = await table.rows(taskRows).find({ id }, true);
    const request = await undoRequest(table, undo, taskId, undoing !== undefined);
    return undoing ? queued(undoing) : queueMany({ connections, table }, { ...request, id });
  });
}

/** The task that undoes a change. @throws not_found, conflict */
export async function undoRequest(table: Table, { of, by, name }: Undo, taskId: string, isBegun = false) {
  const task = await table.rows(taskRows).find({ id: taskId }, true);
  if (task?.operation !== of || !isOfPart(table, task)) throw notFound(name, taskId);
  if (!isFinished(task)) throw conflict(`The change ${taskId} is under way: wait for the end of its task.`);
  if (!isBegun && (task.finishedAt ?? '') < inSeconds(-UNDOABLE_SECONDS))
    throw conflict(`The change ${taskId} ended at ${task.finishedAt}; a change can be undone for a day.`);
  return { operation: by, unit: task.progress.unit, input: { undoes: taskId } };
}

/** The same for a request that waits for the task. */
export const answerUndo = async (
  { connections, table, params, query }: Context & { params: { taskId: string }; query: { waitSeconds: number } },
  name: UndoName,
) => answerWithin(table, await undoUpdate({ connections, table }, UNDOES[name], params.taskId), query.waitSeconds);
