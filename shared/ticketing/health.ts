import { afterDelivery, healthAfter, isWithinMinute, type Problem } from '#shared/code/integrations/health.ts';
import { now } from '#shared/platform/runtime/clock.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { type TicketingConnection, ticketingConnections } from './ticketing-connection.ts';

type Changes = Partial<TicketingConnection> | undefined;

/** Stores whether Jira answered; `synced`: a ticket was compared with Jira. */
export const noteJira = (table: Table, id: string, problem: Problem | undefined, synced = false): Promise<void> =>
  change(table, id, (current) => {
    const at = now();
    const isNews = synced && !isWithinMinute(current.lastSyncAt, at);
    const health = healthAfter(current, 'host', problem);
    return health || isNews ? { ...health, ...(isNews && { lastSyncAt: at }) } : undefined;
  });

/** Keeps when an event came last, and whether it could be worked. */
export const noteEvent = (table: Table, id: string, failed?: string): Promise<void> =>
  change(table, id, (current) => afterDelivery(current, failed));

/** A connection that was turned off or deleted has no health. */
async function change(table: Table, id: string, changed: (current: TicketingConnection) => Changes): Promise<void> {
  if (!(await table.find(ticketingConnections, id))) return;
  await table.modify(ticketingConnections, id, (current) =>
    current.status === 'disabled' ? undefined : changed(current),
  );
}
