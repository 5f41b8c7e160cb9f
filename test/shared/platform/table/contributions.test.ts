import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type Adds,
  addChanges,
  contributionOf,
  countOfEffective,
  effective,
  joinAdds,
  markChanges,
  movesBits,
  NOTHING,
  rankChanges,
  sumOf,
} from '#shared/platform/table/layout/contribution.ts';
import { keysOf } from '#shared/platform/table/layout/keys.ts';
import { type Contribution, pack, unpack } from '#shared/platform/table/layout/packed.ts';
import { cellMatches, cellOf, shapeOf } from '#shared/platform/table/layout/positions.ts';
import { draft, type Ticket, ticketsWith } from './models.ts';

const tickets = ticketsWith('ticket');
const ticket = (fields: Partial<Ticket> = {}): Ticket => ({
  id: '1',
  version: 1,
  createdAt: '',
  updatedAt: '',
  ...draft(fields),
});
const place = { keys: keysOf('org', tickets), ordinal: 7 };
const bare: Contribution = { ...NOTHING, lists: { '': { cell: 1, planes: 1 } } };

/** The rows that a change from one contribution to another adds to. */
const added = (from: Contribution, to: Contribution) => {
  const adds: Adds = new Map();
  addChanges(adds, place, { from, to });
  return Object.fromEntries(effective(adds).map(({ key, changes }) => [`${key.pk} ${key.sk}`, changes]));
};

describe('counters', () => {
  test('take whole numbers only: the sum of others depends on the order of writes', () => {
    for (const wrong of [0.5, Number.NaN, 2 ** 53]) {
      const facets = { ...tickets, facets: () => ({ points: wrong }) };
      expect(() => contributionOf(facets, ticket()), String(wrong)).toThrow(/only whole numbers/);
      const tallies = { ...tickets, tallies: () => [{ facet: 'zone', value: 'north', add: { points: wrong } }] };
      expect(() => contributionOf(tallies, ticket()), String(wrong)).toThrow(/only whole numbers/);
    }
    const zero = { ...tickets, facets: () => ({ points: -3 }) };
    expect(contributionOf(zero, ticket()).facets).toEqual({ points: -3 });
  });

  test('change by the difference alone, and a record that stays as it is changes no row', () => {
    const from = contributionOf(tickets, ticket({ points: 2 }));
    expect(added(from, from)).toEqual({});
    const to = contributionOf(tickets, ticket({ points: 5 }));
    expect(added(from, to)).toEqual({
      'org#ticket#i c': [['points', 3]],
      'org#ticket#t#zone =north': [['points', 3]],
    });
    const moved = contributionOf(tickets, ticket({ points: 2, zone: 'south' }));
    expect(added(from, moved)).toEqual({
      'org#ticket#t#zone =south': [
        ['n', 1],
        ['points', 2],
      ],
      'org#ticket#t#zone =north': [
        ['n', -1],
        ['points', -2],
      ],
    });
  });

  test('stay exact where their sum leaves the whole numbers of a double', () => {
    const most = Number.MAX_SAFE_INTEGER;
    expect(sumOf(most - 1, 1)).toBe(most);
    expect(sumOf(most, 2)).toBe(BigInt(most) + 2n);
    expect(sumOf(-most, -2)).toBe(-BigInt(most) - 2n);
    expect(sumOf(1, 2n ** 100n)).toBe(2n ** 100n + 1n);
  });

  test('of several records meet in one row, and what cancels out is no row of the transaction', () => {
    const row = (sk: string, amounts: Record<string, number | bigint>) =>
      [sk, { key: { pk: 'p', sk }, add: new Map(Object.entries(amounts)) }] as const;
    const adds: Adds = new Map([row('a', { n: 1, m: 2n }), row('b', { n: 1 })]);
    joinAdds(adds, new Map([row('a', { n: -1, k: 4 }), row('b', { n: -1 }), row('c', { n: 0 }), row('d', { n: 0n })]));
    expect(effective(adds)).toEqual([
      {
        key: { pk: 'p', sk: 'a' },
        changes: [
          ['m', 2n],
          ['k', 4],
        ],
      },
    ]);
    expect(countOfEffective(adds)).toBe(1);
  });
});

test('a list whose dimensions changed is refused: its old bits would be read as other values', () => {
  const other = { ...bare, lists: { '': { cell: 1, planes: 2 } } };
  expect(() => added(bare, other)).toThrow(/dimensions of list of all changed/);
  const named = (planes: number) => ({ ...NOTHING, lists: { 'owner=ann': { cell: 1, planes } } });
  expect(() => added(named(1), named(2))).toThrow(/dimensions of list owner=ann changed/);
  expect(added(bare, NOTHING)).not.toEqual({});
  expect(added(NOTHING, other)).not.toEqual({});
});

test('a change moves bits where a cell or a mark changes, and only then notes of a journal are settled for it', () => {
  const cell = (n: number) => ({ ...bare, lists: { '': { cell: n, planes: 2 } } });
  expect(movesBits({ from: cell(1), to: cell(1) })).toBe(false);
  expect(movesBits({ from: cell(1), to: cell(2) })).toBe(true);
  expect(movesBits({ from: cell(1), to: NOTHING })).toBe(true);
  expect(movesBits({ from: { ...bare, marks: ['a'] }, to: { ...bare, marks: ['b'] } })).toBe(true);
  expect(movesBits({ from: bare, to: { ...bare, facets: { n: 1 } } })).toBe(false);
});

test('marks and ranks that a record keeps are neither set nor cleared again: a bit set twice is another bit', () => {
  const [from, to] = [
    { ...bare, marks: ['a', 'b'], ranks: ['p:1', 'p:2'] },
    { ...bare, marks: ['b', 'c'], ranks: ['p:2', 'p:3'] },
  ];
  expect(markChanges({ from, to })).toEqual({ set: ['c'], clear: ['a'] });
  expect(markChanges({ from, to: NOTHING })).toEqual({ set: [], clear: ['a', 'b'] });
  expect(rankChanges(place, { from, to })).toEqual({
    put: [place.keys.rank('p:3', 7)],
    remove: [place.keys.rank('p:1', 7)],
  });
});

test('a stored contribution is read as it was, so that a later write takes back exactly that', () => {
  const amounts = fc.dictionary(fc.stringMatching(/^[a-z:]{1,5}$/), fc.integer({ min: -3, max: 3 }), {
    noNullPrototype: true,
  });
  const value = fc.option(fc.string());
  const contributions: fc.Arbitrary<Contribution> = fc.record({
    facets: amounts,
    tallies: fc.array(fc.record({ facet: fc.constant('zone'), value, add: fc.oneof(amounts, fc.constant({ n: 1 })) })),
    lists: fc.dictionary(fc.constantFrom('', 'owner=ann'), fc.record({ cell: fc.nat(9), planes: fc.nat(5) }), {
      noNullPrototype: true,
    }),
    marks: fc
      .tuple(fc.subarray(['log4j', 'web-01', '10.0.0.7']), fc.subarray(['tool=a b', 'due>2026-01-01', 'zone=']))
      .map((both) => both.flat()),
    ranks: fc.subarray(['p:1', 'p:2']),
  });
  fc.assert(
    fc.property(contributions, (contribution) => {
      expect(unpack(JSON.parse(pack(contribution)))).toEqual(contribution);
    }),
  );
});

describe('the cell of a record', () => {
  test('holds every value of every dimension, and no filter finds it under another', () => {
    const shape = shapeOf({ status: ['open', 'fixed', 'accepted'], severity: ['high', 'low'] });
    expect(shape.planes).toBe(4);
    for (const status of ['open', 'fixed', 'accepted'])
      for (const severity of ['high', 'low']) {
        const cell = cellOf(shape, { status, severity });
        expect(cellMatches(shape, cell, { status, severity })).toBe(true);
        expect(cellMatches(shape, cell, { severity: severity === 'high' ? 'low' : 'high' })).toBe(false);
        expect(cellMatches(shape, cell, { status: status === 'open' ? 'fixed' : 'open' })).toBe(false);
      }
  });

  test('is refused for an unknown value, which no list would ever show', () => {
    expect(() => cellOf(shapeOf({ severity: ['high', 'low'] }), { severity: 'none' })).toThrow(/no value none/);
    const full = shapeOf({ status: ['open', 'fixed', 'accepted'] });
    expect(() => cellOf(full, { status: 'new' })).toThrow(/no dimension places/);
    const placed = shapeOf({ status: ['open', 'fixed', 'accepted'], severity: ['high'] });
    expect(cellOf(placed, { status: 'new', severity: 'high' })).toBe(4);
  });
});
