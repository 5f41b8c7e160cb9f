import { queueTask } from '../../jobs/outbox.ts';
import type { QueuedResponse, TaskRequest } from '../../jobs/task.ts';
import type { Connections } from '../../runtime/connections.ts';
import { newId } from '../../runtime/ids.ts';
import type { Table } from '../../table/table.ts';
import { keepWanted, type Wanted } from './wanted.ts';

/**
 * The message group of everything that changes many findings of an organization, imports among it: they change the same
 * counter rows, so that one after the other they are as fast as at once, and none fails for the sake of another. Nor does
 * one organization hold all workers.
 */
export const groupOf = (table: Table): string => table.scope;

type ManyRequest = Pick<TaskRequest, 'operation' | 'input' | 'resource' | 'id'> & { wanted?: Wanted };

/** Queues work on many findings, which `changeMany` does; its input has `wanted`, where it is given, beside the other. */
export async function queueMany(
  connections: Connections,
  table: Table,
  { wanted, input, id = newId(), ...request }: ManyRequest,
): Promise<QueuedResponse> {
  const kept = wanted && { wanted: await keepWanted({ connections, table, taskId: id }, wanted) };
  const send = { group: groupOf(table) };
  return queueTask(connections, table, {
    ...request,
    id,
    job: 'ingest',
    unit: 'findings',
    send,
    input: { ...input, ...kept },
  });
}
