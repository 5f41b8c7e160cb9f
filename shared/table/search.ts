import { invalid } from '../http/errors.ts';
import type { Dynamo } from './client.ts';
import type { Entity, ListItem, Stored } from './entity.ts';
import { keysOf, ordinalOfWord } from './keys.ts';
import { type Page, type Paging, pageNumbers, rowsAt } from './list.ts';
import { queryRows } from './read.ts';
import { listItemOf } from './record.ts';
import { prefixesOf } from './words.ts';

/** A search reads at most this many matches of each word. */
export const MAX_MATCHES = 1000;

export type SearchPage<T> = Page<T> & {
  /** True when a word has more matches than a search reads: totalCount is then a lower bound. */
  truncated?: true;
};

/** Records that have a word beginning with each word of `search`, newest first. Two round trips. */
export async function searchPage<T extends Stored, D extends keyof T>(
  { dynamo, scope, entity }: { dynamo: Dynamo; scope: string; entity: Entity<T, D> },
  { search, ...paging }: Paging & { search: string },
): Promise<SearchPage<ListItem<T, D>>> {
  const prefixes = prefixesOf(search);
  if (prefixes.length === 0) throw invalid('search', 'give at least one letter or digit to search for');
  const keys = keysOf(scope, entity);
  const found = await Promise.all(
    prefixes.map((prefix) => queryRows(dynamo, { ...keys.words(prefix), limit: MAX_MATCHES })),
  );
  const [first = new Set<number>(), ...others] = found.map((rows) => new Set(rows.map(({ sk }) => ordinalOfWord(sk))));
  const ordinals = [...first].filter((ordinal) => others.every((set) => set.has(ordinal))).sort((a, b) => b - a);
  const wanted = ordinals.slice(paging.paginateFrom, paging.paginateFrom + paging.paginateSize);
  const rows = await rowsAt(dynamo, keys, wanted);
  const truncated = found.some((rows) => rows.length === MAX_MATCHES);
  return {
    data: rows.map((row) => listItemOf<T, D>(row)),
    ...pageNumbers(paging, ordinals.length),
    ...(truncated && { truncated: true as const }),
  };
}
