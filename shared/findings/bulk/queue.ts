import { queueNewTask } from '#shared/platform/jobs/outbox.ts';
import { newTask, type QueuedResponse, type TaskRequest, type TaskRow } from '#shared/platform/jobs/task.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import type { SendOptions } from '#shared/platform/runtime/queues.ts';
import type { Context } from '#shared/platform/table/context.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { keepWanted, type Wanted } from './wanted.ts';

/**
 * The message group of all changes of many findings of an organization, imports included. They change the same counter
 * rows: in sequence they are as fast as in parallel, none fails because of another, and one organization does not
 * occupy all workers. Previews change nothing and wait for no import.
 */
export const groupOf = ({ tenant }: Pick<Table, 'tenant'>, task?: Pick<TaskRow, 'operation'>): string =>
  task?.operation === 'preview_change' ? `${tenant}-preview` : tenant;

export type ManyRequest = Pick<TaskRequest, 'operation' | 'input' | 'resource' | 'id' | 'reachesAll'> & {
  /** The unit of its progress; findings unless it is named. */
  unit?: string;
  /** The records of the request; its stored form is in the input of the task. */
  wanted?: Wanted;
};

/** A task of work on many findings, which `changeMany` does, for `outboxWrites` and `sendOutbox`. */
export function newManyTask(
  table: Pick<Table, 'actor' | 'tenant'>,
  request: Omit<ManyRequest, 'wanted'>,
): { task: TaskRow; send: SendOptions } {
  const task = newTask(table.actor, { unit: 'findings', ...request, job: 'ingest' });
  return { task, send: { group: groupOf(table, task) } };
}

/** Queues such a task. */
export async function queueMany(
  context: Context,
  { wanted, input, id = newId(), ...request }: ManyRequest,
): Promise<QueuedResponse> {
  const kept = wanted && {
    wanted: await keepWanted({ connections: context.connections, table: context.table, taskId: id }, wanted),
  };
  const { task, send } = newManyTask(context.table, { ...request, id, input: { ...input, ...kept } });
  return queueNewTask(context, { task, send });
}
