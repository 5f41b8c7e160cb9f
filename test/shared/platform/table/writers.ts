import * as fc from 'fast-check';
import { ApiError } from '#shared/platform/runtime/errors.ts';
import { ordinalOf } from '#shared/platform/runtime/ids.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { draft, longNotes, severities, statuses, type Ticket, type Tickets } from './models.ts';

const title = fc.constantFrom('broken pump', 'leaking valve', 'loud pump valve', 'rust');
const fields = fc.record(
  {
    title,
    status: fc.constantFrom(...statuses),
    severity: fc.constantFrom(...severities),
    owner: fc.constantFrom(null, 'ann', 'bob'),
    zone: fc.constantFrom('north', 'north west', 'south#1', ''),
    code: fc.constantFrom(null, 'c1', 'c2', 'c3'),
    codes: fc.subarray(['c1', 'c2', 'c3', 'c4', 'c5']),
    points: fc.nat(9),
    notes: fc.constantFrom(null, 'short', longNotes('one'), longNotes('another')),
  },
  { requiredKeys: [] },
);

type Operation =
  | { kind: 'create' | 'update' | 'modify'; pick: number; fields: Partial<Ticket> }
  | { kind: 'delete'; pick: number }
  | { kind: 'bulk'; many: Partial<Ticket>[] }
  | { kind: 'skip'; ordinals: number };

export const operation: fc.Arbitrary<Operation> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('create' as const), pick: fc.constant(0), fields }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('modify' as const), pick: fc.nat(), fields }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('update' as const), pick: fc.nat(), fields }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('delete' as const), pick: fc.nat() }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('bulk' as const), many: fc.array(fields, { maxLength: 6 }) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('skip' as const), ordinals: fc.nat(30_000) }) },
);

/** Shared by all writers: the newest version of each record, and the records that one of them deleted. */
export type Known = { latest: Map<string, Ticket>; deleted: Set<string> };

/** The operations of one writer, in order. Conflicts are expected: the writer that loses changes nothing. */
export async function write(
  table: Table,
  tickets: Tickets,
  { operations, known }: { operations: Operation[]; known: Known },
) {
  for (const operation of operations) {
    try {
      await perform(table, tickets, { operation, known });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
    }
  }
}

async function perform(table: Table, tickets: Tickets, { operation, known }: { operation: Operation; known: Known }) {
  switch (operation.kind) {
    case 'create':
      return learn(known, await table.create(tickets, draft(operation.fields)));
    case 'skip':
      return table.reserveOrdinals(tickets, operation.ordinals);
    case 'bulk':
      return bulk(table, tickets, { many: operation.many, known });
    case 'modify':
      return onPicked(known, operation.pick, async ({ id }) =>
        learn(known, await table.modify(tickets, id, () => operation.fields)),
      );
    case 'update':
      return onPicked(known, operation.pick, async (stale) =>
        learn(known, await table.update(tickets, stale, operation.fields)),
      );
    case 'delete':
      return onPicked(known, operation.pick, async (stale) => {
        await table.delete(tickets, stale);
        known.deleted.add(stale.id);
      });
  }
}

async function bulk(table: Table, tickets: Tickets, { many, known }: { many: Partial<Ticket>[]; known: Known }) {
  const ids = await table.reserve(tickets, many.length);
  const batch = table.batch(true);
  const items = many.map((one, n) =>
    batch.create(tickets, table.stamp<Ticket>({ ...draft({ ...one, code: null, codes: [] }), id: ids[n] ?? '' })),
  );
  await batch.commit();
  for (const item of items) learn(known, item);
}

async function onPicked(known: Known, pick: number, use: (ticket: Ticket) => Promise<unknown>): Promise<void> {
  const alive = [...known.latest.values()].filter(({ id }) => !known.deleted.has(id));
  const ticket = alive[pick % alive.length];
  if (ticket) await use(ticket);
}

function learn({ latest }: Known, ticket: Ticket): void {
  const before = latest.get(ticket.id);
  if (!before || before.version < ticket.version) latest.set(ticket.id, ticket);
  else if (before.version === ticket.version && before !== ticket)
    throw new Error(`version ${ticket.version} of ${ordinalOf(ticket.id)} was written twice`);
}

export const survivors = ({ latest, deleted }: Known): Ticket[] =>
  [...latest.values()].filter(({ id }) => !deleted.has(id));
