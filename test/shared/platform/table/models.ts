import { createHash } from 'node:crypto';
import * as z from 'zod';
import { count, defineEntity, type Entity } from '#shared/platform/table/entity.ts';
import type { Table } from '#shared/platform/table/table.ts';

export const Ticket = z.object({
  id: z.string(),
  version: z.number(),
  createdAt: z.string(),
  updatedAt: z.string(),
  title: z.string(),
  status: z.enum(['open', 'fixed', 'accepted']),
  severity: z.enum(['high', 'low']),
  owner: z.string().nullable(),
  zone: z.string(),
  code: z.string().nullable(),
  /** Further codes; old tickets have none. */
  codes: z.array(z.string()).optional(),
  points: z.number(),
  notes: z.string().nullable(),
});
export type Ticket = z.infer<typeof Ticket>;

export const statuses = ['open', 'fixed', 'accepted'] as const;
export const severities = ['high', 'low'] as const;

const mostFirst = (points: number): string => String(1_000_000 - points).padStart(7, '0');

/** An entity that uses everything that the store offers. */
export const ticketsWith = (name: string, shards = 1) =>
  defineEntity(Ticket, {
    name,
    shards,
    dimensions: { status: statuses, severity: severities },
    parents: { owner: { of: (ticket) => ticket.owner, dimensions: { status: statuses } } },
    facets: ({ status, severity, points }) => ({ ...count({ status, severity }), points }),
    tallies: ({ zone, points }) => [{ facet: 'zone', value: zone, add: { n: 1, points } }],
    search: ({ title, zone }) => [title, zone],
    indexed: ({ zone, points }) => ({ zone, points: String(points) }),
    broad: ['status', 'severity', 'zone'],
    journal: true,
    ordered: ({ status, points }) => ({ points: status === 'open' ? mostFirst(points) : null }),
    ranks: ({ status, points }) => ({ points: status === 'open' ? points : undefined }),
    unique: ({ code, codes = [] }) => ({ code: [...(code === null ? [] : [code]), ...codes] }),
    detail: ['notes'],
    feedFields: ['title', 'status', 'points'],
  });

/** The same records as the next release declares them: one more facet, tally, search word and parent list. */
export const nextTicketsWith = (name: string, shards = 1) => {
  const before = ticketsWith(name, shards);
  return defineEntity(Ticket, {
    name,
    shards,
    dimensions: { status: statuses, severity: severities },
    parents: {
      owner: { of: (ticket) => ticket.owner, dimensions: { status: statuses } },
      zone: { of: (ticket) => ticket.zone },
    },
    facets: (ticket) => ({ ...before.facets(ticket), ...(ticket.points > 5 && { large: 1 }) }),
    tallies: (ticket) => [...before.tallies(ticket), { facet: 'owner', value: ticket.owner }],
    search: (ticket) => [...before.search(ticket), ticket.code],
    indexed: ({ zone, points, code }) => ({ zone, points: String(points), code }),
    journal: true,
    ordered: before.ordered,
    ranks: before.ranks,
    unique: before.unique,
    detail: ['notes'],
  });
};

export type Tickets = ReturnType<typeof ticketsWith>;

/** Notes that no compression makes fit into the record's own row. */
export const longNotes = (seed: string): string =>
  createHash('shake256', { outputLength: 900 }).update(seed).digest('base64url');

export const draft = (fields: Partial<Ticket> = {}) => ({
  title: 'broken pump',
  status: 'open' as const,
  severity: 'low' as const,
  owner: null,
  zone: 'north',
  code: null,
  points: 1,
  notes: null,
  ...fields,
});

/** One write. Its `pick` says which of the records that stand it is about; where none does, it creates one. */
type TicketWrite = {
  entity: Entity<Ticket, 'notes'>;
  kind: string;
  pick: number;
  fields: Partial<Ticket>;
};

/** Makes these writes one after the other. @returns the records that stand then */
export async function writeTickets(
  table: Table,
  writes: readonly TicketWrite[],
  before: readonly Ticket[] = [],
): Promise<Ticket[]> {
  const records = [...before];
  for (const { entity, kind, pick, fields } of writes) {
    const at = pick % Math.max(1, records.length);
    const picked = records[at];
    if (kind === 'create' || !picked) records.push(await table.create(entity, draft(fields)));
    else if (kind === 'update') records[at] = await table.update(entity, picked, fields);
    else {
      await table.delete(entity, picked);
      records.splice(at, 1);
    }
  }
  return records;
}
