import { recordsOf } from '#shared/platform/table/selected.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { type TicketingConnection, ticketingConnections } from './ticketing-connection.ts';

/** An organization has so many at most: each has a poll of its own. */
export const MAX_CONNECTIONS = 20;

/** The connections that are enabled and have a token, the oldest first. */
export async function readConnections(table: Table): Promise<TicketingConnection[]> {
  const all = await recordsOf(table, ticketingConnections);
  return all.filter(({ enabled, access }) => enabled && access === 'token').toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

/** The connection that a rule or a request names; without a name the oldest. */
export const connectionFor = (
  usable: readonly TicketingConnection[],
  connectionId: string | null,
): TicketingConnection | undefined =>
  connectionId === null ? usable[0] : usable.find(({ id }) => id === connectionId);
