import { queueTask } from '../jobs/outbox.ts';
import { sendMessage } from '../jobs/send.ts';
import type { QueuedResponse } from '../jobs/task.ts';
import type { Connections } from '../runtime/connections.ts';
import { newId } from '../runtime/ids.ts';
import { log } from '../runtime/log.ts';
import type { Context } from '../table/context.ts';
import type { Table } from '../table/table.ts';

/** One reader at a time updates the views of an organization: several readers would conflict. */
export const viewsGroup = ({ tenant }: Pick<Table, 'tenant'>): string => tenant;

/**
 * Reports that an organization has changes that its views have not seen. @param reason repeated within five minutes, it
 * counts once
 */
export const wakeViews = (
  connections: Pick<Connections, 'queues'>,
  table: Pick<Table, 'organizationId' | 'tenant'>,
  reason: string,
): Promise<void> => {
  const send = { group: viewsGroup(table), deduplicationId: `${table.tenant}-${reason}` };
  return sendMessage(connections, 'views', { organizationId: table.organizationId }, send);
};

/** The same for changes that views should show within seconds: their timer comes a minute later, also if this fails. */
export async function wakeViewsSoon(
  { connections, table }: { connections: Pick<Connections, 'queues'>; table: Context['table'] },
  reason: string = newId(),
): Promise<void> {
  try {
    await wakeViews(connections, table, reason);
  } catch (error) {
    log.warn('views left to the sweeper', { organizationId: table.organizationId, reason: String(error) });
  }
}

/** Queues a task that compares all records with their contributions to the views. */
export const queueRebuild = (context: Context): Promise<QueuedResponse> =>
  queueTask(context, {
    operation: 'maintenance_views',
    job: 'views',
    unit: 'collections',
    input: {},
    send: { group: viewsGroup(context.table) },
  });
