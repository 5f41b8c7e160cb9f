import * as fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { ordinalOf } from '#shared/platform/runtime/ids.ts';
import type { Marked } from '#shared/platform/table/combined.ts';
import type { Entity } from '#shared/platform/table/entity.ts';
import { PARTITION } from '#shared/platform/table/layout/keys.ts';
import { fits, wouldFit } from '#shared/platform/table/match.ts';
import { ordinalsOf } from '#shared/platform/table/selected.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { newOrganization, useStore } from '../../../support/store.ts';
import { runs } from '../../../support/tier.ts';
import { draft, severities, statuses, type Ticket, ticketsWith } from './models.ts';

const store = useStore();

const placeOf = ({ status, points }: Ticket) => (status === 'open' ? `p${points}` : null);

/** A status, a severity and a zone are broad; points, codes and owners are narrow. */
const ticketsIn = (shards: number): Entity<Ticket, 'notes'> => ({
  ...ticketsWith(`combined${shards}`, shards),
  indexed: ({ zone, points, code, codes = [] }) => ({ zone, points: String(points), code, codes }),
  ordered: (ticket) => ({ points: placeOf(ticket) }),
});

const named = (name: string, ...values: (string | null)[]) =>
  fc.record({ name: fc.constant(name), values: fc.subarray(values) });
const part: fc.Arbitrary<Marked> = fc.oneof(
  named('status', ...statuses),
  named('severity', ...severities),
  named('zone', 'north', 'south', 'west'),
  named('points', '1', '2', '3'),
  named('code', 'c1', 'c2', null),
  named('codes', 'c3', 'c4'),
  named('owner', 'ann', 'bob'),
  fc.record(
    { order: fc.constant('points'), from: fc.constantFrom('p', 'p1', 'p2'), to: fc.constantFrom('p', 'p1', 'p2') },
    { requiredKeys: ['order'] },
  ),
  fc.record({ word: fc.constantFrom('pump', 'pu', 'valve', 'broken', 'nor', 'steam'), exact: fc.boolean() }),
  fc.constant('everything' as const),
);
const { tree } = fc.letrec<{ tree: Marked }>((tie) => ({
  tree: fc.oneof(
    { depthSize: 'medium', withCrossShrink: true },
    part,
    fc.record({ all: fc.array(tie('tree'), { maxLength: 4 }) }),
    fc.record({ any: fc.array(tie('tree'), { maxLength: 4 }) }),
    fc.record({ not: tie('tree') }),
  ),
}));

/** The same by the fields of the record. */
function holds(marked: Marked, ticket: Ticket): boolean {
  if (marked === 'everything') return true;
  if ('all' in marked) return marked.all.every((one) => holds(one, ticket));
  if ('any' in marked) return marked.any.some((one) => holds(one, ticket));
  if ('not' in marked) return !holds(marked.not, ticket);
  if ('word' in marked)
    return `${ticket.title} ${ticket.zone}`
      .split(' ')
      .some((word) => (marked.exact ? word === marked.word : word.startsWith(marked.word)));
  if ('order' in marked) {
    const place = placeOf(ticket);
    return place !== null && place >= (marked.from ?? '') && place <= `${marked.to ?? ''}~`;
  }
  const own = Reflect.get(ticket, marked.name === 'codes' ? 'codes' : marked.name);
  return [own].flat().some((value) => marked.values.includes(value === null ? null : String(value)));
}

/** Some of each combination, in blocks of which some are next to each other and others far apart. */
async function fill(table: Table, tickets: Entity<Ticket, 'notes'>): Promise<Ticket[]> {
  const made: Ticket[] = [];
  for (let n = 0; n < 48; n++) {
    if (n % 7 === 0) await table.reserveOrdinals(tickets, (n % 3) * 3 * PARTITION);
    const fields = {
      title: ['broken pump', 'valve', 'pumps', 'the pump'][n % 4] ?? '',
      status: statuses[n % 3] ?? 'open',
      severity: severities[(n >> 1) % 2] ?? 'low',
      zone: n % 5 < 2 ? 'south' : 'north',
      points: n % 11 === 0 ? 3 : 1 + (n % 2),
      owner: [null, 'ann', null, 'bob', null][n % 5] ?? null,
      code: n === 5 ? 'c1' : n === 40 ? 'c2' : null,
      codes: n === 5 ? ['c3', 'c4'] : n === 17 ? ['c5'] : [],
    };
    made.unshift(await table.create(tickets, draft(fields)));
  }
  return made;
}

const LAST = '~';
const byPlace = (tickets: readonly Ticket[]): Ticket[] =>
  tickets.toSorted((a, b) => ((placeOf(a) ?? LAST) < (placeOf(b) ?? LAST) ? -1 : Number(placeOf(a) !== placeOf(b))));

describe.each([1, 4])('values, ranges and words in any combination (%i shards)', (shards) => {
  const tickets = ticketsIn(shards);
  let table: Table;
  let made: Ticket[];
  beforeAll(async () => {
    table = newOrganization(store.dynamo);
    made = await fill(table, tickets);
  });

  test('find the records that fit, in pages and sorted, count them, and agree with the test of one record', async () => {
    const idsOf = (some: readonly { id: string }[]) => some.map(({ id }) => id);
    await fc.assert(
      fc.asyncProperty(tree, fc.nat(20), async (matching, paginateFrom) => {
        const expected = made.filter((one) => holds(matching, one));
        const whole = await table.list(tickets, { matching, paginateFrom: 0, paginateSize: 100 });
        expect(idsOf(whole.data)).toEqual(idsOf(expected));
        const page = await table.list(tickets, { matching, paginateFrom, paginateSize: 3 });
        expect(idsOf(page.data)).toEqual(idsOf(expected.slice(paginateFrom, paginateFrom + 3)));
        expect([whole.totalCount, page.totalCount]).toEqual([expected.length, expected.length]);
        const sorted = await table.list(tickets, { matching, sort: 'points', paginateFrom, paginateSize: 5 });
        expect(idsOf(sorted.data)).toEqual(idsOf(byPlace(expected).slice(paginateFrom, paginateFrom + 5)));
        expect(await ordinalsOf(table, tickets, { matching })).toEqual(expected.map(({ id }) => ordinalOf(id)));
        expect(made.filter((one) => fits(matching, one))).toEqual(expected);
        expect(made.filter((one) => wouldFit(matching, tickets, { ...one }))).toEqual(expected);
      }),
      { numRuns: runs(40, 300) },
    );
  });

  test('narrow the other conditions of a list', async () => {
    await fc.assert(
      fc.asyncProperty(tree, async (matching) => {
        const where = { zone: 'north', code: null };
        const query = { matching, where, search: 'pump', filter: { status: 'open' }, parent: { owner: 'ann' } };
        const expected = made.filter(
          (one) =>
            holds(matching, one) && one.owner === 'ann' && one.status === 'open' && one.zone === 'north' && !one.code,
        );
        const found = expected.filter(({ title }) => title.includes('pump'));
        const ids = made.map(({ id }) => id);
        for (const more of [{}, { ids }]) {
          const { data } = await table.list(tickets, { ...query, ...more, paginateFrom: 0, paginateSize: 100 });
          expect(data.map(({ id }) => id)).toEqual(found.map(({ id }) => id));
        }
      }),
      { numRuns: runs(10, 60) },
    );
  });
});
