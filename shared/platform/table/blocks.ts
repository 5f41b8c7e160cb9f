import { type Bits, countsOf } from './layout/bits.ts';
import { addCounts, type DigitRow } from './layout/digits.ts';
import { pageIn } from './layout/keys.ts';
import { maskBytes, type Shape } from './layout/positions.ts';
import type { PageRange } from './paging.ts';

/** The number of records in a block of ordinals, and of the records that match a filter. */
type BlockCount = { block: number; all: number; matching: number };

/** The blocks that have records, newest first, from all page rows of a list. */
export function blockCounts(shape: Shape, rows: readonly DigitRow[], matches: (cell: number) => boolean): BlockCount[] {
  const { pageBlocks } = shape;
  const pages = new Map<number, Record<'fitting' | 'others', number[]>>();
  for (const row of rows) {
    const page = pageIn(row.sk);
    const sums = pages.get(page) ?? { fitting: [], others: [] };
    pages.set(page, sums);
    addCounts(row, shape, (cell) => (matches(cell) ? sums.fitting : sums.others));
  }
  return [...pages]
    .sort(([a], [b]) => b - a)
    .flatMap(([page, { fitting, others }]) =>
      Array.from({ length: pageBlocks }, (_, n) => {
        const [matching = 0, other = 0] = [fitting[n], others[n]];
        return { block: page * pageBlocks + n, all: matching + other, matching };
      })
        .filter(({ all }) => all > 0)
        .reverse(),
    );
}

/** The counts without these records, which are all among those that match. */
export function countsWithout({ span }: Shape, counts: readonly BlockCount[], others: Bits): readonly BlockCount[] {
  if (others.size === 0) return counts;
  const excluded = countsOf(others, span);
  return counts.map((count) => ({
    ...count,
    matching: Math.max(0, count.matching - (excluded.get(count.block) ?? 0)),
  }));
}

/** The blocks that hold the records of a page, and the number of matches in the first block that precede the page. */
export function blocksOfPage(counts: readonly BlockCount[], { paginateFrom, paginateSize }: PageRange) {
  const wanted = new Set<number>();
  let skip = 0;
  let seen = 0;
  for (const { block, matching } of counts) {
    if (seen >= paginateFrom + paginateSize) break;
    if (matching > 0 && seen + matching > paginateFrom) {
      if (wanted.size === 0) skip = paginateFrom - seen;
      wanted.add(block);
    }
    seen += matching;
  }
  return { wanted, skip };
}

const QUERY_BYTES = 4096; // half a read unit reads so much, and a query costs at least that

/** Ranges of blocks for one query each: a small gap between two blocks is cheaper to read than another query. */
export function runsOf(shape: Shape, counts: readonly BlockCount[], wanted: ReadonlySet<number>) {
  const runs: { newest: number; oldest: number }[] = [];
  let gap = 0;
  for (const { block, all } of counts) {
    if (!wanted.has(block)) {
      gap += maskBytes(shape, all);
      continue;
    }
    const run = runs.at(-1);
    if (run && gap < QUERY_BYTES) run.oldest = block;
    else runs.push({ newest: block, oldest: block });
    gap = 0;
  }
  return runs;
}
