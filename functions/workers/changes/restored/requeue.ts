import { groupOf } from '#shared/findings/bulk/queue.ts';
import { OPERATION_NAMES } from '#shared/platform/jobs/operations.ts';
import { isFinished, sendTask, type TaskRow, taskPlaces, taskRows } from '#shared/platform/jobs/task.ts';
import type { Checkpoint, Reached, Settling } from './settling.ts';

const TOGETHER = 200;

/**
 * Sends the messages of tasks that had not ended: the messages of the restored moment are lost, or were worked on rows
 * that are gone. An extra message finds nothing to do.
 */
export async function requeueTasks({ table, connections, task }: Settling, at: Checkpoint): Reached {
  const operation = OPERATION_NAMES[at.collection];
  if (!operation) return undefined;
  const between = { from: at.from, to: '~' };
  const places = await table.rows(taskPlaces).query(operation, { between, limit: TOGETHER, consistent: true });
  const current = await table.rows(taskRows).findMany(places, true);
  const isLost = (one: TaskRow) => !isFinished(one) && one.updatedAt < task.createdAt && one.id !== task.id;
  const lost = current.filter(isLost);
  for (const one of lost) {
    const group = one.job === 'maintenance' ? table.organizationId : groupOf(table);
    await sendTask(connections, table, one, { group, deduplicationId: `${one.id}-after-${task.id}` });
  }
  const last = places.at(-1);
  const next =
    places.length < TOGETHER || !last ? { collection: at.collection + 1, from: '' } : { from: placeOf(last) };
  return { ...at, ...next, seen: at.seen + places.length, requeued: at.requeued + lost.length };
}

/** Behind the place of a task in its list. */
const placeOf = ({ createdAt, id }: Pick<TaskRow, 'createdAt' | 'id'>): string => `${createdAt}_${id}$`;
