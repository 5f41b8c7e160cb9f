import type { Context } from '../table/context.ts';
import type { Table } from '../table/table.ts';
import { putTimer } from '../timers/timers.ts';
import { sendTask, type TaskRow, taskStep } from './task.ts';

/** Keeps how far a task has come. @returns the task as it is then */
export async function keepStep(table: Table, task: TaskRow, changes: Partial<TaskRow>): Promise<TaskRow> {
  const { next, write } = taskStep(table, task, changes);
  await table.write(write);
  return next;
}

/** A task in work, and the message group in which it goes on. */
export type Later = Context & { task: TaskRow; group: string };

/** Queues the next slice of a task, which begins at its checkpoint. */
export async function continueNow({ connections, table, task, group }: Later, slice: number): Promise<undefined> {
  await sendTask(connections, table, task, { group, deduplicationId: `${task.id}-${slice}` });
}

/**
 * Ends a slice until this time; the sweeper sends the message of the next. Each end has a message of its own, also where
 * two wait for the same time: the queue takes a message once.
 */
export async function continueAt({ table, task, group }: Omit<Later, 'connections'>, at: string): Promise<undefined> {
  const send = { group, deduplicationId: `${task.id}-${task.updatedAt}` };
  const timer = { kind: 'send' as const, at: Date.parse(at), organizationId: table.organizationId, id: task.id, send };
  await table.write(taskStep(table, task, { status: 'queued' }).write, putTimer(timer));
}
