import type { Dynamo } from './client.ts';
import type { Entity, ListItem, Rank, Stored } from './entity.ts';
import { keysOf, ordinalIn, ordinalOfWord, ordinalText, wordIn } from './keys.ts';
import { rowsAt } from './list.ts';
import { queryRows } from './read.ts';
import { contributionIn, listItemOf } from './record.ts';

/**
 * A rank is a search row whose word no text contains (words hold no `!`), so that everything which keeps search rows
 * right keeps ranks right too. The number is inverted: the highest comes first in key order.
 */
export const rankWords = (ranks: Record<string, Rank | undefined>): string[] =>
  Object.entries(ranks).flatMap(([name, rank]) =>
    rank === undefined ? [] : [`${prefixOf(name)}${inverted(rank.number)}${rank.note ?? ''}`],
  );

const MAX_RANK = 2 ** 40 - 1;
const DIGITS = ordinalText(0).length;
const prefixOf = (name: string): string => `!${name}:`;

function inverted(rank: number): string {
  if (!Number.isInteger(rank) || rank < 0 || rank > MAX_RANK)
    throw new Error(`a rank is a whole number from 0 to 2^40 - 1, not ${rank}`);
  return ordinalText(MAX_RANK - rank);
}

const rankIn = (name: string, word: string): Rank => {
  const text = word.slice(prefixOf(name).length);
  return { number: MAX_RANK - Number.parseInt(text.slice(0, DIGITS), 36), note: text.slice(DIGITS) };
};

type Source<T extends Stored, D extends keyof T> = { dynamo: Dynamo; scope: string; entity: Entity<T, D> };
export type TopQuery<B> = {
  rank: string;
  n: number;
  /** Reads what belongs to the records' notes while the records themselves are read. */
  beside: (notes: string[]) => Promise<B>;
};

/**
 * The `n` records that rank highest. A bulk writer's rank rows stand shortly before their records; when some of the
 * first rows still wait for theirs, more rows are read.
 */
export async function topRecords<T extends Stored, D extends keyof T, B>(
  { dynamo, scope, entity }: Source<T, D>,
  { rank, n, beside }: TopQuery<B>,
): Promise<{ records: ListItem<T, D>[]; beside: B }> {
  const keys = keysOf(scope, entity);
  for (let limit = n; ; limit *= 4) {
    const ranked = await queryRows(dynamo, { ...keys.words(prefixOf(rank)), limit });
    const wordAt = new Map(ranked.map(({ sk }) => [ordinalOfWord(sk), wordIn(sk)]));
    const notes = new Set([...wordAt.values()].flatMap((word) => rankIn(rank, word).note || []));
    const newestFirst = [...wordAt.keys()].sort((a, b) => b - a);
    const [rows, more] = await Promise.all([rowsAt(dynamo, keys, newestFirst), beside([...notes])]);
    const standing = rows.filter((row) => contributionIn(row).words.includes(wordAt.get(ordinalIn(row.sk)) ?? ''));
    if (standing.length < n && ranked.length === limit) continue;
    const byOrdinal = new Map(standing.map((row) => [ordinalIn(row.sk), row]));
    const first = [...wordAt.keys()].flatMap((ordinal) => byOrdinal.get(ordinal) ?? []).slice(0, n);
    return { records: first.map((row) => listItemOf<T, D>(row)), beside: more };
  }
}

/** The highest number of a rank, read from its row alone: half a read unit. */
export async function highestRank<T extends Stored, D extends keyof T>(
  { dynamo, scope, entity }: Source<T, D>,
  rank: string,
): Promise<number | undefined> {
  const [first] = await queryRows(dynamo, { ...keysOf(scope, entity).words(prefixOf(rank)), limit: 1 });
  return first && rankIn(rank, wordIn(first.sk)).number;
}
