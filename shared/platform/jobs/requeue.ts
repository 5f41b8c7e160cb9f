import { conflict } from '../runtime/errors.ts';
import { newId } from '../runtime/ids.ts';
import type { Context } from '../table/context.ts';
import { outboxTimer, sendOutbox } from './outbox.ts';
import { isFinished, type QueuedResponse, queued, type TaskRow, taskWrite } from './task.ts';

/**
 * Queues a task that has ended again, in its message group.
 * @param what has the task, for the message of the refusal
 * @throws conflict
 */
export async function requeue(
  { connections, table }: Context,
  task: TaskRow,
  { group, what }: { group: string; what: string },
): Promise<QueuedResponse> {
  if (!isFinished(task)) throw conflict(`The ${what} is still ${task.status}: wait for its end.`);
  const again = { ...task, status: 'queued' as const, finishedAt: undefined, error: undefined, result: undefined };
  // the queue forgets a message of the same id for five minutes
  const send = { group, deduplicationId: newId() };
  await table.write(taskWrite(table, task, again), outboxTimer(table, again, send));
  await sendOutbox({ connections, table }, { task: again, send });
  return queued(again);
}
