import type { Dynamo } from '../runtime/dynamo.ts';
import type { Entity, ListItem, Stored } from './entity.ts';
import { queryRows } from './io/read.ts';
import { keysOf, ordinalIn, ordinalOfRank, rankTextIn } from './layout/keys.ts';
import { prefixOf, rankIn } from './layout/ranks.ts';
import { contributionIn, listItemOf } from './layout/record.ts';
import { rowsAt } from './list.ts';

type Source<T extends Stored, D extends keyof T> = { dynamo: Dynamo; scope: string; entity: Entity<T, D> };
export type TopQuery<B> = {
  rank: string;
  n: number;
  /** Reads other rows by the notes of the ranks, in the round trip that reads the records. */
  beside: (notes: string[]) => Promise<B>;
};

/**
 * The `n` records that rank highest. A bulk batch writes rank rows shortly before its records; if records of the first
 * rows are not there yet, more rows are read.
 */
export async function topRecords<T extends Stored, D extends keyof T, B>(
  { dynamo, scope, entity }: Source<T, D>,
  { rank, n, beside }: TopQuery<B>,
): Promise<{ records: ListItem<T, D>[]; beside: B }> {
  const keys = keysOf(scope, entity);
  for (let limit = n; ; limit *= 4) {
    const ranked = await queryRows(dynamo, { ...keys.ranks(prefixOf(rank)), limit });
    const textAt = new Map(ranked.map(({ sk }) => [ordinalOfRank(sk), rankTextIn(sk)]));
    const notes = new Set([...textAt.values()].flatMap((text) => rankIn(rank, text).note || []));
    const newestFirst = [...textAt.keys()].sort((a, b) => b - a);
    const [rows, more] = await Promise.all([rowsAt(dynamo, keys, newestFirst), beside([...notes])]);
    const standing = rows.filter((row) => contributionIn(row).ranks.includes(textAt.get(ordinalIn(row.sk)) ?? ''));
    if (standing.length < n && ranked.length === limit) continue;
    const byOrdinal = new Map(standing.map((row) => [ordinalIn(row.sk), row]));
    const first = [...textAt.keys()].flatMap((ordinal) => byOrdinal.get(ordinal) ?? []).slice(0, n);
    return { records: first.map((row) => listItemOf<T, D>(row)), beside: more };
  }
}

/** The highest number of a rank, read from its row alone: half a read unit. */
export async function highestRank<T extends Stored, D extends keyof T>(
  { dynamo, scope, entity }: Source<T, D>,
  rank: string,
): Promise<number | undefined> {
  const [first] = await queryRows(dynamo, { ...keysOf(scope, entity).ranks(prefixOf(rank)), limit: 1 });
  return first && rankIn(rank, rankTextIn(first.sk)).number;
}
