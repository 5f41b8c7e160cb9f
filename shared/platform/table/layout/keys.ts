import type { NativeAttributeValue } from '@aws-sdk/util-dynamodb';
import type { Entity } from '../entity.ts';
import { isWord, orderIn } from './marks.ts';
import { blockOf, type Layout, layoutOf, pageOf } from './positions.ts';
import type { Wanted } from './words.ts';

export type Key = { pk: string; sk: string };

/**
 * The key scope of rows outside of organizations: rows that are read before an organization is known, and rows that
 * many share.
 */
export const GLOBAL_SCOPE = 'global';

/** Ordinals per partition. This number keeps a partition near 4 MB; another would do too. */
export const PARTITION = 4320;
const ORDINAL_DIGITS = 8; // 36^8 > 2^40, and an id has 40 bits for its ordinal

export const ordinalText = (ordinal: number): string => ordinal.toString(36).padStart(ORDINAL_DIGITS, '0');
/** Sorts the newest record first. */
const invertedText = (ordinal: number): string => ordinalText(2 ** 40 - 1 - ordinal);

const BLOCK_DIGITS = 7; // 36^7 blocks of at least 120 ordinals are more than 2^40 ordinals
const blockText = (block: number): string => block.toString(36).padStart(BLOCK_DIGITS, '0');

/** The range of rows of these blocks, of all shards. */
export const inBlocks = (first: number, last: number) => ({ from: blockText(first), to: `${blockText(last)}$` });

const LAST_BLOCK = 36 ** BLOCK_DIGITS - 1;

/** The block of a mark's row: behind the word where the row is a word's. */
export const blockOfMark = ({ sk }: Pick<Key, 'sk'>): number => blockIn(sk.slice(sk.lastIndexOf(' ') + 1));
/** The block of a row of an order, which counts blocks from the other end so that the newest record comes first. */
export const blockOfOrder = (row: Pick<Key, 'sk'>): number => LAST_BLOCK - blockOfMark(row);

/** Whether a row of marks belongs to an order. */
export const isOrderRow = ({ pk }: Key): boolean => /^[^#]+#[^#]+#o#/.test(pk);

/** The block in a mask row's sort key and the page in a page row's. */
export const blockIn = (sk: string): number => Number.parseInt(sk.slice(0, BLOCK_DIGITS), 36);
export const pageIn = (sk: string): number => blockIn(sk.slice(1));

/** Facets of the collections with shared facet reads: a row for each, by the collection's name. */
export const togetherPartition = (tenant: string): string => `${tenant}#facets`;

type Collection = Pick<Entity, 'name' | 'shards'> & Partial<Pick<Entity, 'sequence' | 'together'>>;

/**
 * All keys of one collection of one organization. `tenant` is the key scope: the organization's short id, or `global`.
 */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: an object of short functions
export function keysOf(tenant: string, entity: Collection) {
  const base = `${tenant}#${entity.name}`;
  const shard = (ordinal: number) => (entity.shards === 1 ? '' : `#${ordinal % entity.shards}`);
  const list = (name: string) => (name === '' ? '' : `#${name}`);
  return {
    shards: entity.shards,
    record: (ordinal: number): Key => ({ pk: recordPartition(base, ordinal), sk: ordinalText(ordinal) }),
    recordPartition: (ordinal: number) => recordPartition(base, ordinal),
    /** The keys from this ordinal to the end of its partition. */
    recordsFrom: (ordinal: number) => {
      const last = (Math.floor(ordinal / PARTITION) + 1) * PARTITION - 1;
      return { pk: recordPartition(base, ordinal), from: ordinalText(ordinal), to: ordinalText(last), last };
    },
    detail: (ordinal: number): Key => ({ pk: `${base}#d${Math.floor(ordinal / PARTITION)}`, sk: ordinalText(ordinal) }),
    ordinals: (): Key => ({ pk: `${tenant}#${entity.sequence ?? entity.name}#i`, sk: 'o' }),
    facets: (ordinal: number): Key =>
      entity.together
        ? { pk: togetherPartition(tenant), sk: entity.name }
        : { pk: `${base}#i`, sk: `c${shard(ordinal)}` },
    facetsPartition: { pk: `${base}#i`, prefix: 'c' },
    page: (name: string, layout: Layout, ordinal: number): Key => ({
      pk: `${base}#i${list(name)}`,
      sk: `p${blockText(pageOf(layout, blockOf(layout, ordinal)))}${shard(ordinal)}`,
    }),
    pages: (name: string) => ({ pk: `${base}#i${list(name)}`, prefix: 'p' }),
    mask: (name: string, layout: Layout, ordinal: number): Key => ({
      pk: `${base}#m${list(name)}`,
      sk: `${blockText(blockOf(layout, ordinal))}${shard(ordinal)}`,
    }),
    /** Mask rows of the blocks from `first` to `last`, of all shards. */
    masks: (name: string, first: number, last: number) => ({ pk: `${base}#m${list(name)}`, ...inBlocks(first, last) }),
    everyMask: { pk: `${base}#m`, all: true as const },
    tally: (facet: string, value: string | null, ordinal: number): Key => ({
      pk: `${base}#t#${facet}`,
      sk: `${tallyValue(value)}${shard(ordinal)}`,
    }),
    /** The counter rows of one value, one per shard. */
    tallyRows: (facet: string, value: string | null): Key[] =>
      Array.from({ length: entity.shards }, (_, n) => ({
        pk: `${base}#t#${facet}`,
        sk: `${tallyValue(value)}${shard(n)}`,
      })),
    tallies: (facet: string) => `${base}#t#${facet}`,
    /** The bits of a mark in the block of this ordinal: words by their first two letters, so that a prefix finds them. */
    mark: (mark: string, ordinal: number): Key => {
      const block = `${blockText(blockOf(MARK_LAYOUT, ordinal))}${shard(ordinal)}`;
      if (isWord(mark)) return { pk: `${base}#w#${firstTwo(mark)}`, sk: `${mark} ${block}` };
      const order = orderIn(mark);
      if (!order) return { pk: `${base}#v#${mark}`, sk: block };
      const newestFirst = blockText(LAST_BLOCK - blockOf(MARK_LAYOUT, ordinal));
      return { pk: `${base}#o#${order.name}`, sk: `${order.text} ${newestFirst}` };
    },
    valueMarks: (mark: string) => ({ pk: `${base}#v#${mark}`, all: true as const }),
    /** Rows of every word with this beginning, or of only this word. */
    wordMarks: ({ word, exact }: Wanted) => ({ pk: `${base}#w#${firstTwo(word)}`, prefix: exact ? `${word} ` : word }),
    order: (name: string) => ({ pk: `${base}#o#${name}`, all: true as const }),
    orderBetween: (name: string, { from = '', to = '' }: { from?: string; to?: string }) => ({
      pk: `${base}#o#${name}`,
      from: `${from} `,
      to: `${to}~`,
    }),
    /** The counters by day of a group of records: `d` and the first nine characters of the days. */
    daily: (group: string, day: string): Key => ({ pk: `${base}#h#${group}`, sk: `d${day.slice(0, 9)}` }),
    days: (group: string, { from, to }: { from: string; to: string }) => ({
      pk: `${base}#h#${group}`,
      from: `d${from.slice(0, 9)}`,
      to: `d${to.slice(0, 9)}`,
    }),
    /** The groups with such counters, a row each with the number of their records. */
    groups: { pk: `${base}#h`, all: true as const },
    group: (group: string): Key => ({ pk: `${base}#h`, sk: group }),
    monthEnd: (group: string, month: string): Key => ({ pk: `${base}#h#${group}`, sk: `m${month}` }),
    monthEnds: (group: string, { from, to }: { from: string; to: string }) => ({
      pk: `${base}#h#${group}`,
      from: `m${from}`,
      to: `m${to}`,
    }),
    journal: (entry: string): Key => ({ pk: `${base}#j`, sk: entry }),
    rank: (rank: string, ordinal: number): Key => ({ pk: `${base}#r`, sk: `${rank} ${invertedText(ordinal)}` }),
    ranksPartition: `${base}#r`,
    ranks: (prefix: string) => ({ pk: `${base}#r`, prefix }),
    unique: (field: string, value: string): Key => ({ pk: `${base}#u#${field}#${value}`, sk: 'u' }),
  };
}

export type Keys = ReturnType<typeof keysOf>;

/** One plane: a row of 1 KB has a mark's bits for 4,320 records. */
export const MARK_LAYOUT = layoutOf(1);

const firstTwo = (word: string): string => [...word].slice(0, 2).join('');

const recordPartition = (base: string, ordinal: number): string => `${base}#${Math.floor(ordinal / PARTITION)}`;

/** An empty text differs from null, and `#` is replaced because it begins the shard. */
export const tallyValue = (value: string | null): string =>
  value === null ? '~' : `=${value.replaceAll('%', '%25').replaceAll('#', '%23')}`;

export function readTallyKey(sk: string): string | null {
  const [text = ''] = sk.split('#');
  return text === '~' ? null : text.slice(1).replaceAll('%23', '#').replaceAll('%25', '%');
}

/** The ordinal in a record's sort key. */
export const ordinalIn = (sk: string): number => Number.parseInt(sk, 36);

/** The ordinal at the end of a rank row's sort key. */
export const ordinalOfRank = (sk: string): number => 2 ** 40 - 1 - Number.parseInt(sk.slice(-ORDINAL_DIGITS), 36);

/** The rank in a rank row's sort key. */
export const rankTextIn = (sk: string): string => sk.slice(0, -ORDINAL_DIGITS - 1);
export type Row = Key & Record<string, NativeAttributeValue>;
