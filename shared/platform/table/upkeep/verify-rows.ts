import { chunksOf } from '../../runtime/chunks.ts';
import type { Dynamo } from '../../runtime/dynamo.ts';
import { getRows, queryRows } from '../io/read.ts';
import { workJournal } from '../journal.ts';
import type { Adds } from '../layout/contribution.ts';
import type { Key, Keys, Row } from '../layout/keys.ts';
import type { CounterDifference } from './difference.ts';
import { emptyRecount, type Lists, recount, takeBlocks } from './recount.ts';
import { type OrdinalRange, RANGE, rangesOf } from './walk.ts';

/** The collection that is verified. */
export type Verified = { dynamo: Dynamo; keys: Keys; lists: Lists };
/** Differences that two passes agree on, and the number of those that other writers were changing. */
export type Settled = { settled: CounterDifference[]; unsettled: number };

const AT_ONCE = 1000; // rows read together, in ten calls

/** Compares the mask and index rows of a range. `current` gets the number of existing rows, by partition. */
export async function verifyBlocks(
  of: Verified,
  { rows, range, current }: { rows: Adds; range: OrdinalRange; current: Map<string, number> },
): Promise<Settled> {
  const first: CounterDifference[] = [];
  for (const group of chunksOf([...rows], AT_ONCE)) {
    const found = byKey(await getRows(of.dynamo, keysIn(group.map(([, { key }]) => key)), true));
    first.push(...compare(new Map(group), found));
    for (const [id, { key }] of group) {
      const count = current.get(key.pk) ?? 0;
      current.set(key.pk, isEmpty(found.get(id)) ? count : count + 1);
    }
  }
  return lookAgain(of, first, () => recountAround(of, range));
}

/** Compares the rows of facets, tallies and pages of the whole collection, in every partition of these rows. */
export async function verifyWholes(of: Verified, rows: Adds): Promise<Settled> {
  const { dynamo, keys } = of;
  const facets = keys.facets(0);
  const partitions = new Set([facets.pk, keys.facetsPartition.pk, ...rows.values().map(({ key }) => key.pk)]);
  const isOther = ({ pk, sk }: Row) =>
    sk === keys.ordinals().sk || (pk === facets.pk && pk !== keys.facetsPartition.pk && sk !== facets.sk);
  const current: Row[] = [];
  for (const group of chunksOf([...partitions], 8)) {
    const found = await Promise.all(group.map((pk) => queryRows(dynamo, { pk, all: true, consistent: true })));
    current.push(...found.flat().filter((row) => !isOther(row)));
  }
  return lookAgain(of, compare(rows, byKey(current)), () => recountWholes(of));
}

async function recountWholes({ dynamo, keys, lists }: Verified): Promise<Adds> {
  const into = emptyRecount();
  for await (const range of rangesOf(dynamo, keys)) {
    await recount(dynamo, keys, { range, into, grouped: lists.grouped });
    takeBlocks(into.rows, keys, { lists, before: Infinity });
  }
  return into.rows;
}

/** The rows of a range and of its neighbours, so that a block that begins or ends there is complete. */
export async function recountAround({ dynamo, keys, lists }: Verified, { from, before }: OrdinalRange): Promise<Adds> {
  const into = emptyRecount();
  const range = { from: Math.max(0, from - RANGE / 2), before: before + RANGE / 2 };
  await recount(dynamo, keys, { range, into, grouped: lists.grouped });
  return into.rows;
}

/**
 * The second pass recounts between two readings of the rows in which the first pass saw a difference. The journal is
 * worked first: marks of bulk batches that the first pass missed are no difference.
 */
export async function lookAgain(
  { dynamo, keys }: Verified,
  first: CounterDifference[],
  again: () => Promise<Adds>,
): Promise<Settled> {
  if (first.length === 0) return { settled: [], unsettled: 0 };
  await workJournal(dynamo, keys);
  const doubted = keysIn(first);
  const before = byKey(await getRows(dynamo, doubted, true));
  const rows = await again();
  const after = byKey(await getRows(dynamo, doubted, true));
  const amounts = new Map(first.map((one) => [nameOf(one), one.expected - one.stands]));
  const expected: Adds = new Map();
  for (const id of doubted.map(idOf)) {
    const row = rows.get(id);
    if (row) expected.set(id, row);
  }
  const second = compare(expected, after);
  const settled = second.filter((one) => {
    const stood = amountIn(before.get(idOf(one)), one.attribute);
    return stood === one.stands && amounts.get(nameOf(one)) === one.expected - one.stands;
  });
  return { settled, unsettled: second.length - settled.length };
}

/** The amounts by which rows differ from the expected ones. */
export function compare(expected: Adds, current: Map<string, Row>): CounterDifference[] {
  const differences: CounterDifference[] = [];
  for (const id of new Set([...expected.keys(), ...current.keys()])) {
    const row = current.get(id);
    const counter = expected.get(id);
    const { pk = '', sk = '' } = row ?? counter?.key ?? {};
    for (const attribute of new Set([...(counter?.add.keys() ?? []), ...amountsIn(row)])) {
      const [stands, wanted] = [amountIn(row, attribute), BigInt(counter?.add.get(attribute) ?? 0)];
      if (stands !== wanted)
        differences.push({ pk, sk, kind: 'counter', attribute, stands, expected: wanted, repaired: false });
    }
  }
  return differences;
}

export const isEmpty = (row: Row | undefined): boolean => amountsIn(row).every((name) => amountIn(row, name) === 0n);
const amountsIn = (row: Row | undefined): string[] =>
  Object.keys(row ?? {}).filter((name) => name !== 'pk' && name !== 'sk');
const amountIn = (row: Row | undefined, attribute: string): bigint => BigInt(row?.[attribute] ?? 0);

export const idOf = ({ pk, sk }: Key): string => `${pk}\n${sk}`;
const nameOf = (one: CounterDifference): string => `${idOf(one)}\n${one.attribute}`;
export const byKey = (rows: readonly Row[]) => new Map(rows.map((row) => [idOf(row), row]));
/** The distinct keys of rows or differences. */
const keysIn = (some: readonly Key[]): Key[] => [
  ...new Map(some.map(({ pk, sk }) => [idOf({ pk, sk }), { pk, sk }])).values(),
];
