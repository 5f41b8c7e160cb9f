import * as fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { ordinalOf } from '#shared/platform/runtime/ids.ts';
import { combinedBits, type Marked } from '#shared/platform/table/combined.ts';
import { newestOf } from '#shared/platform/table/layout/bits.ts';
import { newOrganization, useStore } from '../../../support/store.ts';
import { runs } from '../../../support/tier.ts';
import { draft, severities, statuses, type Ticket, ticketsWith } from './models.ts';

const store = useStore();
const tickets = ticketsWith('ticket');

/** The open and the fixed ones, so that accepted ones are found by their values alone. */
const universe: Marked = { name: 'status', values: ['open', 'fixed'] };
const values = fc.oneof(
  fc.record({ name: fc.constant('status'), values: fc.subarray([...statuses]) }),
  fc.record({ name: fc.constant('severity'), values: fc.subarray([...severities]) }),
  fc.record({ name: fc.constant('zone'), values: fc.subarray(['north', 'south', 'west']) }),
);
const { tree } = fc.letrec<{ tree: Marked }>((tie) => ({
  tree: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    values,
    fc.constant('everything' as const),
    fc.record({ all: fc.array(tie('tree'), { maxLength: 3 }) }),
    fc.record({ any: fc.array(tie('tree'), { maxLength: 3 }) }),
    fc.record({ not: tie('tree') }),
  ),
}));

/** `not` and `everything` are of the universe. */
function fits(marked: Marked, ticket: Ticket): boolean {
  if (marked === 'everything') return fits(universe, ticket);
  if ('name' in marked) return marked.values.includes(String(Reflect.get(ticket, marked.name)));
  if ('not' in marked) return fits(universe, ticket) && !fits(marked.not, ticket);
  if ('any' in marked) return marked.any.some((one) => fits(one, ticket));
  return marked.all.length === 0 ? fits(universe, ticket) : marked.all.every((one) => fits(one, ticket));
}

test('conditions in any combination find the records that fit them, and no other', async () => {
  const table = newOrganization(store.dynamo);
  const made: Ticket[] = [];
  for (const status of statuses)
    for (const severity of severities)
      for (const zone of ['north', 'south'])
        made.unshift(await table.create(tickets, draft({ status, severity, zone })));
  const examples: Marked[] = [
    'everything',
    { all: [] },
    { any: [] },
    { not: { any: [] } },
    { name: 'zone', values: [] },
    {
      all: [
        { name: 'zone', values: ['north'] },
        { name: 'severity', values: ['high'] },
      ],
    },
    { not: { name: 'zone', values: ['north'] } },
  ];
  await fc.assert(
    fc.asyncProperty(tree, async (marked) => {
      const bits = await combinedBits({ ...table, entity: tickets, universe }, marked);
      const expected = made.filter((ticket) => fits(marked, ticket)).map(({ id }) => ordinalOf(id));
      expect(newestOf(bits)).toEqual(expected);
    }),
    { numRuns: runs(16, 40), examples: examples.map((one): [Marked] => [one]) },
  );
});

test('a value that a condition names again and again is read once', async () => {
  const table = newOrganization(store.dynamo);
  await table.create(tickets, draft({ status: 'open', severity: 'high', zone: 'north' }));
  const one: Marked = {
    all: [{ name: 'zone', values: ['north', 'south'] }, { not: { name: 'severity', values: ['low'] } }],
  };
  const read = vi.spyOn(table.dynamo.client, 'send');
  await combinedBits({ ...table, entity: tickets, universe }, one);
  const reads = read.mock.calls.length;
  const bits = await combinedBits(
    { ...table, entity: tickets, universe },
    { any: Array.from({ length: 50 }, () => one) },
  );
  expect(read.mock.calls.length).toBe(2 * reads);
  expect(newestOf(bits)).toHaveLength(1);
  read.mockRestore();
});
