import type { Connections } from '../runtime/connections.ts';
import { Overtaken } from '../runtime/errors.ts';
import { log } from '../runtime/log.ts';
import type { SendOptions } from '../runtime/queues.ts';
import type { Batch } from '../table/batch.ts';
import type { Context } from '../table/context.ts';
import type { Write } from '../table/io/commit.ts';
import { GLOBAL_SCOPE } from '../table/layout/keys.ts';
import { openTable, type Table } from '../table/table.ts';
import { placedTimer, putTimer, type Timer, timers } from '../timers/timers.ts';
import {
  newTask,
  newTaskWrites,
  type QueuedResponse,
  queued,
  sendTask,
  type TaskRequest,
  type TaskRow,
  taskRows,
} from './task.ts';

/** The sweeper sends a message that was not sent within this time. */
export const RESEND_AFTER_SECONDS = 120;

const timerOf = (table: Table, task: Pick<TaskRow, 'id' | 'createdAt'>, send?: SendOptions) => ({
  kind: 'send' as const,
  at: Date.parse(task.createdAt) + RESEND_AFTER_SECONDS * 1000,
  organizationId: table.organizationId,
  id: task.id,
  send,
});

/**
 * The writes that queue a task within a transaction. After the transaction `sendOutbox` or the sweeper sends the
 * message.
 */
export const outboxWrites = (table: Table, task: TaskRow, send?: SendOptions): Write[] => [
  ...newTaskWrites(table, task, () => new Overtaken()),
  putTimer(timerOf(table, task, send)),
];

/** The timer by which the sweeper sends the message of a task that is queued again. */
export const outboxTimer = (table: Table, task: Pick<TaskRow, 'id' | 'createdAt'>, send?: SendOptions): Write =>
  putTimer(timerOf(table, task, send));

/** Sends the message of a task that `outboxWrites` queued. If sending fails, the sweeper sends the message later. */
export async function sendOutbox(
  { connections, table }: Context,
  { task, send }: { task: TaskRow; send?: SendOptions },
) {
  try {
    await sendTask(connections, table, task, send);
    await dropTimer(table, timerOf(table, task));
  } catch (error) {
    log.warn('message left to the sweeper', { taskId: task.id, reason: String(error) });
  }
}

/** Queues a task that nothing else is written with. */
export async function queueTask(context: Context, request: TaskRequest): Promise<QueuedResponse> {
  const { send } = request;
  return queueNewTask(context, { task: newTask(context.table.actor, request), send });
}

type NewTask = { task: TaskRow; send: SendOptions | undefined };

/** Queues a new task, with further writes. */
export async function queueNewTask(
  context: Context,
  { task, send }: NewTask,
  also: (batch: Batch) => void = () => undefined,
): Promise<QueuedResponse> {
  const batch = context.table.batch();
  also(batch);
  batch.write(...outboxWrites(context.table, task, send));
  await batch.commit();
  await sendOutbox(context, { task, send });
  return queued(task);
}

/** Sends the message of a task that is still queued; the sweeper calls this. */
export async function resend(connections: Connections, timer: Timer): Promise<void> {
  const table = openTable(connections.dynamo, timer.organizationId);
  const task = await table.rows(taskRows).find({ id: timer.id }, true);
  if (task?.status === 'queued') await sendTask(connections, table, task, timer.send);
  await dropTimer(table, timer);
}

async function dropTimer(table: Table, timer: Omit<Timer, 'shard'>): Promise<void> {
  await openTable(table.dynamo, GLOBAL_SCOPE).rows(timers).remove(placedTimer(timer));
}
