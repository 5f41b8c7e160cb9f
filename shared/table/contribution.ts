import type { Entity, Stored } from './entity.ts';
import type { Key, Keys } from './keys.ts';
import { type Shape, blockOf, cellOf, maskChange, pageChange } from './positions.ts';
import { wordsOf } from './words.ts';

/**
 * Everything that one record adds to the rows around it. It is stored with the record, so that a later write (by a
 * newer release too) takes back exactly what was added.
 */
export type Contribution = {
  /** Counter sums: '' is the collection's own item, `facet=value` the item of an open value. */
  f: Record<string, Record<string, number>>;
  /** List -> cell: '' is the whole collection, `list=parent` the list of one parent. */
  x: Record<string, number>;
  /** Searchable words. */
  s: string[];
};

const NOTHING: Contribution = { f: {}, x: {}, s: [] };

export function contributionOf<T extends Stored, D extends keyof T>(entity: Entity<T, D>, item: T): Contribution {
  const f: Contribution['f'] = { '': entity.facets(item) };
  for (const { facet, value, add = { n: 1 } } of entity.tallies(item)) {
    const key = JSON.stringify([facet, value]);
    f[key] = sum(f[key] ?? {}, add);
  }
  const x: Contribution['x'] = { '': cellOf(entity.main, item) };
  for (const [list, parent] of Object.entries(entity.parents)) {
    const value = parent.of(item);
    if (value != null) x[listName(list, value)] = cellOf(parent.shape, item);
  }
  return { f, x, s: wordsOf(entity.search(item)) };
}

/** The name under which the positions of one parent's list are kept. */
export const listName = (list: string, parent: string): string => `${list}=${parent}`;

export type Adds = Map<string, { key: Key; add: Map<string, bigint | number> }>;
export type SearchRows = { put: Key[]; remove: Key[] };
export type Place = { keys: Keys; ordinal: number };

/** The rows that change when a record's contribution goes from `before` to `after` (undefined: it is not there). */
export function addChanges(
  entity: Pick<Entity, 'main' | 'parents'>,
  { keys, ordinal }: Place,
  before: Contribution = NOTHING,
  after: Contribution = NOTHING,
): Adds {
  const adds: Adds = new Map();
  for (const key of union(before.f, after.f)) {
    const row = key === '' ? keys.facets(ordinal) : keys.tally(...(JSON.parse(key) as [string, string | null]), ordinal);
    addTo(adds, row, difference(before.f[key], after.f[key]));
  }
  for (const name of union(before.x, after.x)) {
    const shape = shapeOfList(entity, name);
    const from = before.x[name] ?? 0;
    const to = after.x[name] ?? 0;
    addTo(adds, keys.mask(name, shape, ordinal), maskChange(shape, ordinal, from, to));
    addTo(adds, keys.page(name, shape, ordinal), pageChange(shape, blockOf(shape, ordinal), from, to));
  }
  return adds;
}

export function searchChanges({ keys, ordinal }: Place, before = NOTHING, after = NOTHING): SearchRows {
  const had = new Set(before.s);
  const has = new Set(after.s);
  return {
    put: after.s.filter((word) => !had.has(word)).map((word) => keys.word(word, ordinal)),
    remove: before.s.filter((word) => !has.has(word)).map((word) => keys.word(word, ordinal)),
  };
}

/** Adds a change into `adds`; a batch's differences meet in one ADD per row. */
export function addTo(adds: Adds, key: Key, change: Record<string, bigint | number>): void {
  for (const [name, amount] of Object.entries(change)) {
    const id = `${key.pk}\n${key.sk}`;
    const row = adds.get(id) ?? { key, add: new Map() };
    adds.set(id, row);
    const present = row.add.get(name) ?? 0;
    row.add.set(name, isInteger(present) && isInteger(amount) ? BigInt(present) + BigInt(amount) : Number(present) + Number(amount));
  }
}

const isInteger = (value: bigint | number): boolean => typeof value === 'bigint' || Number.isInteger(value);

function shapeOfList(entity: Pick<Entity, 'main' | 'parents'>, name: string): Shape {
  if (name === '') return entity.main;
  const parent = entity.parents[name.slice(0, name.indexOf('='))];
  if (!parent) throw new Error(`no list ${name}`);
  return parent.shape;
}

function difference(before: Record<string, number> = {}, after: Record<string, number> = {}): Record<string, number> {
  const change: Record<string, number> = {};
  for (const name of union(before, after)) {
    const amount = (after[name] ?? 0) - (before[name] ?? 0);
    if (amount !== 0) change[name] = amount;
  }
  return change;
}

const sum = (a: Record<string, number>, b: Record<string, number>): Record<string, number> =>
  Object.fromEntries([...union(a, b)].map((name) => [name, (a[name] ?? 0) + (b[name] ?? 0)]));

const union = (a: object, b: object): Set<string> => new Set([...Object.keys(a), ...Object.keys(b)]);
