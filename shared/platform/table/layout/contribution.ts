import { isDeepStrictEqual } from 'node:util';
import type { Entity, Stored } from '../entity.ts';
import { type Key, type Keys, MARK_LAYOUT } from './keys.ts';
import { marksOf, shortParent } from './marks.ts';
import type { Amounts, Contribution } from './packed.ts';
import { blockOf, type CellChange, cellOf, layoutOf, markBit, maskChange, pageChange } from './positions.ts';
import { rankTexts } from './ranks.ts';

export const NOTHING: Contribution = { facets: {}, tallies: [], lists: {}, marks: [], ranks: [] };

export function contributionOf<T extends Stored, D extends keyof T>(entity: Entity<T, D>, item: T): Contribution {
  const lists: Contribution['lists'] = { '': { cell: cellOf(entity.main, item), planes: entity.main.planes } };
  for (const [list, { of, shape }] of Object.entries(entity.parents)) {
    const parent = of(item);
    if (parent != null) lists[listName(list, parent)] = { cell: cellOf(shape, item), planes: shape.planes };
  }
  const tallies = entity.tallies(item).map(({ facet, value, add = { n: 1 } }) => ({ facet, value, add: whole(add) }));
  const facets = whole(entity.facets(item));
  return {
    facets: { ...facets, ...(entity.daily && { daily: 1 }), ...(entity.grouped && { grouped: 1 }) },
    tallies,
    lists,
    marks: marksOf(entity, item),
    ranks: rankTexts(entity.ranks(item)),
  };
}

/** The name of the positions of one parent's list; short, because every record stores it. */
export const listName = (list: string, parent: string): string => `${list}=${shortParent(parent)}`;

/** `ADD`s of a transaction by row; the changes of all records of a batch meet here. */
export type Adds = Map<string, { key: Key; add: Map<string, bigint | number> }>;
/** The keys of a record's collection and the record's number in the collection. */
export type RecordPlace = { keys: Keys; ordinal: number };
export type ContributionChange = { from: Contribution; to: Contribution };

/** Adds the changes of all counter, mask and page rows when a record's contribution changes. */
export function addChanges(adds: Adds, place: RecordPlace, { from, to }: ContributionChange): void {
  const { keys, ordinal } = place;
  addTo(adds, keys.facets(ordinal), difference(from.facets, to.facets));
  for (const { facet, value, add } of to.tallies) addTo(adds, keys.tally(facet, value, ordinal), add);
  for (const { facet, value, add } of from.tallies) addTo(adds, keys.tally(facet, value, ordinal), difference(add, {}));
  for (const name of union(from.lists, to.lists))
    addListChange(adds, place, { name, from: from.lists[name], to: to.lists[name] });
}

type ListChange = { name: string; from: ListCell | undefined; to: ListCell | undefined };
type ListCell = Contribution['lists'][string];

function addListChange(adds: Adds, { keys, ordinal }: RecordPlace, { name, from, to }: ListChange): void {
  if (from && to && from.planes !== to.planes)
    throw new Error(`the dimensions of list ${name || 'of all'} changed: declare a list of another name instead`);
  const layout = layoutOf((from ?? to)?.planes ?? 1);
  const change: CellChange = [from?.cell ?? 0, to?.cell ?? 0];
  addTo(adds, keys.mask(name, layout, ordinal), maskChange(layout, ordinal, change));
  addTo(adds, keys.page(name, layout, ordinal), pageChange(layout, blockOf(layout, ordinal), change));
}

/** The marks that a record gets and those that it loses. */
export function markChanges({ from, to }: ContributionChange): { set: string[]; clear: string[] } {
  return { set: without(to.marks, from.marks), clear: without(from.marks, to.marks) };
}

/** Whether a change clears or sets bits of the record. */
export const movesBits = ({ from, to }: ContributionChange): boolean =>
  [...union(from.lists, to.lists)].some((name) => from.lists[name]?.cell !== to.lists[name]?.cell) ||
  !isDeepStrictEqual(from.marks, to.marks);

/** Sets or clears a record's bit in the rows of these marks. */
export function addMarks(
  adds: Adds,
  { keys, ordinal }: RecordPlace,
  { set, clear }: ReturnType<typeof markChanges>,
): void {
  for (const mark of set) addMark(adds, keys, { mark, set: [ordinal], clear: [] });
  for (const mark of clear) addMark(adds, keys, { mark, set: [], clear: [ordinal] });
}

type MarkChange = { mark: string; set: readonly number[]; clear: readonly number[] };

/** Sets and clears the bits of many records in the rows of one mark. */
export function addMark(adds: Adds, keys: Keys, { mark, set, clear }: MarkChange): void {
  const rows = new Map<number, { ordinal: number; sums: Record<string, bigint> }>();
  const sumsFor = (ordinal: number) => {
    const number = blockOf(MARK_LAYOUT, ordinal) * keys.shards + (ordinal % keys.shards);
    const row = rows.get(number) ?? { ordinal, sums: {} };
    rows.set(number, row);
    return row.sums;
  };
  for (const ordinal of set) {
    const [sums, { name, bit }] = [sumsFor(ordinal), markBit(ordinal)];
    sums[name] = (sums[name] ?? 0n) + bit;
  }
  for (const ordinal of clear) {
    const [sums, { name, bit }] = [sumsFor(ordinal), markBit(ordinal)];
    sums[name] = (sums[name] ?? 0n) - bit;
  }
  for (const { ordinal, sums } of rows.values()) addTo(adds, keys.mark(mark, ordinal), sums);
}

/** The rank rows that come and go with a record's contribution. */
export function rankChanges(
  { keys, ordinal }: RecordPlace,
  { from, to }: ContributionChange,
): { put: Key[]; remove: Key[] } {
  return {
    put: without(to.ranks, from.ranks).map((rank) => keys.rank(rank, ordinal)),
    remove: without(from.ranks, to.ranks).map((rank) => keys.rank(rank, ordinal)),
  };
}

function without(texts: readonly string[], others: readonly string[]): string[] {
  if (others.length === 0) return [...texts];
  const known = new Set(others);
  return texts.filter((text) => !known.has(text));
}

/** Adds a change into `adds`; a batch's differences meet in one ADD per row. */
export function addTo(adds: Adds, key: Key, change: Record<string, bigint | number>): void {
  let row: { add: Map<string, bigint | number> } | undefined;
  for (const name in change) {
    row ??= rowIn(adds, key);
    row.add.set(name, sumOf(row.add.get(name) ?? 0, change[name] ?? 0));
  }
}

function rowIn(adds: Adds, key: Key) {
  const id = `${key.pk}\n${key.sk}`;
  const known = adds.get(id);
  if (known) return known;
  const row = { key, add: new Map<string, bigint | number>() };
  adds.set(id, row);
  return row;
}

/** Adds the second to the first, which then has rows of both. */
export function joinAdds(adds: Adds, more: Adds): void {
  for (const [id, row] of more) {
    const known = adds.get(id);
    if (!known) adds.set(id, row);
    else for (const [name, amount] of row.add) known.add.set(name, sumOf(known.add.get(name) ?? 0, amount));
  }
}

/** Most amounts are small numbers, which add up faster than `bigint`s. */
export function sumOf(a: bigint | number, b: bigint | number): bigint | number {
  if (typeof a === 'number' && typeof b === 'number' && Number.isSafeInteger(a + b)) return a + b;
  return BigInt(a) + BigInt(b);
}

/** The rows whose changes do not cancel out. */
export const effective = (adds: Adds): { key: Key; changes: [string, bigint | number][] }[] =>
  [...adds.values()]
    .map(({ key, add }) => ({ key, changes: [...add].filter(([, amount]) => amount !== 0 && amount !== 0n) }))
    .filter(({ changes }) => changes.length > 0);

export function countOfEffective(adds: Adds): number {
  let count = 0;
  for (const { add } of adds.values()) if (add.values().some((amount) => amount !== 0 && amount !== 0n)) count++;
  return count;
}

/** Counters take whole numbers, because the sum of fractions depends on their order. */
function whole(amounts: Amounts): Amounts {
  for (const name in amounts)
    if (!Number.isSafeInteger(amounts[name]))
      throw new Error(`counter ${name} was given ${amounts[name]}: only whole numbers add exactly`);
  return amounts;
}

function difference(before: Amounts, after: Amounts): Amounts {
  // of a new record; each record has other names, which take time to copy
  if (before === NOTHING.facets) return after;
  const change: Amounts = {};
  const add = (name: string) => {
    const amount = (after[name] ?? 0) - (before[name] ?? 0);
    if (amount !== 0) change[name] = amount;
  };
  for (const name in after) add(name);
  for (const name in before) add(name);
  return change;
}

const union = (a: object, b: object): Set<string> => new Set([...Object.keys(a), ...Object.keys(b)]);
