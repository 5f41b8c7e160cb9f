import type { StoredFinding } from '#shared/findings/finding/finding.ts';
import type { Table } from '#shared/platform/table/table.ts';
import type { StoredVulnerability } from '#shared/vulnerabilities/vulnerability/vulnerability.ts';
import { tickets } from './ticket.ts';

/* The keys by which a subject has one ticket. */

export const findingKey = (id: string): string => `finding:${id}`;
export const vulnerabilityKey = (key: string): string => `vulnerability:${key}`;
export const fixTicketKey = (key: string): string => `fix:${key}`;

type Links = Record<string, string>;

/** A finding that took in more than these shows no ticket of the others. */
const MAX_MERGED = 5;

/** The path of a finding's ticket, also for a finding that was merged into another. */
export const findingTicketLink = (table: Table, { id, mergedFrom = [] }: StoredFinding): Promise<Links> =>
  linkOf(table, [id, ...mergedFrom.slice(0, MAX_MERGED).map((one) => one.id)].map(findingKey));

export const vulnerabilityTicketLink = (table: Table, { key }: StoredVulnerability): Promise<Links> =>
  linkOf(table, [vulnerabilityKey(key)]);

async function linkOf(table: Table, keys: readonly string[]): Promise<Links> {
  const found = await Promise.all(keys.map((value) => table.findUnique(tickets, { field: 'key', value })));
  const ticket = found.find((one) => one !== undefined);
  return ticket ? { ticket: `/api/v1/ticketing/tickets/${ticket.id}` } : {};
}
