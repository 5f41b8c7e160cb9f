import type { Dynamo } from '../runtime/dynamo.ts';
import { invalid } from '../runtime/errors.ts';
import type { Entity, ListItem, Stored } from './entity.ts';
import { queryRows } from './io/read.ts';
import { type Keys, keysOf, ordinalOfWord, type Row } from './layout/keys.ts';
import { contributionIn, listItemOf } from './layout/record.ts';
import { prefixesOf } from './layout/words.ts';
import { rowsAt } from './list.ts';
import { type Page, type PageRange, pageNumbers } from './paging.ts';

/** A search reads at most this many matches of each word. */
export const MAX_MATCHES = 1000;

export type SearchPage<T> = Page<T> & {
  /** True when a word has more matches than a search reads; totalCount is then a lower bound. */
  truncated?: true;
};

/** The records in which each word of `search` begins a word, newest first. Two round trips. */
export async function searchPage<T extends Stored, D extends keyof T>(
  { dynamo, scope, entity }: { dynamo: Dynamo; scope: string; entity: Entity<T, D> },
  { search, ...paging }: PageRange & { search: string },
): Promise<SearchPage<ListItem<T, D>>> {
  const prefixes = prefixesOf(search);
  if (prefixes.length === 0) throw invalid('search', 'must contain at least one letter or digit');
  const keys = keysOf(scope, entity);
  const found = await Promise.all(prefixes.map((prefix) => matchesOf(dynamo, keys, prefix)));
  const all = found.every(({ complete }) => complete);
  const few = all ? undefined : fewest(found, paging.paginateSize);
  const page = ({ paginateFrom, paginateSize }: PageRange) => [paginateFrom, paginateFrom + paginateSize] as const;
  if (few) {
    const rows = (await rowsAt(dynamo, keys, few)).filter((row) => hasAll(row, prefixes));
    return { data: rows.slice(...page(paging)).map(listItemOf<T, D>), ...pageNumbers(paging, rows.length) };
  }
  const ordinals = newestFirst(found.map(({ ordinals }) => ordinals).reduce(common));
  const rows = await rowsAt(dynamo, keys, ordinals.slice(...page(paging)));
  const numbers = pageNumbers(paging, ordinals.length);
  return { data: rows.map(listItemOf<T, D>), ...numbers, ...(!all && { truncated: true as const }) };
}

type Matches = { ordinals: Set<number>; complete: boolean };

async function matchesOf(dynamo: Dynamo, keys: Keys, prefix: string): Promise<Matches> {
  const rows = await queryRows(dynamo, { ...keys.words(prefix), limit: MAX_MATCHES });
  return { ordinals: new Set(rows.map(({ sk }) => ordinalOfWord(sk))), complete: rows.length < MAX_MATCHES };
}

/** All matches of the rarest word if they fit the page: their records tell whether the other words match too. */
function fewest(found: readonly Matches[], paginateSize: number): number[] | undefined {
  const [rarest] = found.filter(({ complete }) => complete).sort((a, b) => a.ordinals.size - b.ordinals.size);
  return rarest && rarest.ordinals.size <= paginateSize ? newestFirst(rarest.ordinals) : undefined;
}

const hasAll = (row: Row, prefixes: readonly string[]): boolean => {
  const { words } = contributionIn(row);
  return prefixes.every((prefix) => words.some((word) => word.startsWith(prefix)));
};

const common = (a: Set<number>, b: Set<number>): Set<number> => new Set([...a].filter((ordinal) => b.has(ordinal)));

const newestFirst = (ordinals: Iterable<number>): number[] => [...ordinals].sort((a, b) => b - a);
