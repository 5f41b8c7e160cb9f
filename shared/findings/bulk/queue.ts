import { queueNewTask } from '#shared/platform/jobs/outbox.ts';
import { newTask, type QueuedResponse, type TaskRequest, type TaskRow } from '#shared/platform/jobs/task.ts';
import { answerWithin } from '#shared/platform/jobs/wait.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import type { SendOptions } from '#shared/platform/runtime/queues.ts';
import type { Context } from '#shared/platform/table/context.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { keepWanted, type Wanted } from './wanted.ts';

/**
 * The message group of all changes of many findings of an organization, imports included. They change the same counter
 * rows: in sequence they are as fast as in parallel, none fails because of another, and one organization does not
 * occupy all workers.
 */
export const groupOf = ({ tenant }: Pick<Table, 'tenant'>): string => tenant;

type ManyRequest = Pick<TaskRequest, 'operation' | 'input' | 'resource' | 'id'> & {
  /** The unit of its progress; findings unless it is named. */
  unit?: string;
};

/** A task of work on many findings, which `changeMany` does, for `outboxWrites` and `sendOutbox`. */
export function newManyTask(
  table: Pick<Table, 'actor' | 'tenant'>,
  request: ManyRequest,
): { task: TaskRow; send: SendOptions } {
  const task = newTask(table.actor, { unit: 'findings', ...request, job: 'ingest' });
  return { task, send: { group: groupOf(table) } };
}

/** Queues such a task; its input has `wanted`, where it is given, beside the other. */
export async function queueMany(
  context: Context,
  { wanted, input, id = newId(), ...request }: ManyRequest & { wanted?: Wanted },
): Promise<QueuedResponse> {
  const kept = wanted && {
    wanted: await keepWanted({ connections: context.connections, table: context.table, taskId: id }, wanted),
  };
  const { task, send } = newManyTask(context.table, { ...request, id, input: { ...input, ...kept } });
  return queueNewTask(context, { task, send });
}

/** A request that changes many records. */
type Asked = Context & { body: { dryRun: boolean }; query: { waitSeconds: number } };

/** Queues the change and waits for its task as long as asked; a dry run answers the preview instead. */
export async function answerMany<P>(
  { connections, table, body, query }: Asked,
  { preview, ...request }: Parameters<typeof queueMany>[1] & { preview: () => Promise<P> },
) {
  if (body.dryRun) return { preview: await preview() };
  return answerWithin(table, await queueMany({ connections, table }, request), query.waitSeconds);
}
