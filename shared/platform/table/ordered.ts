import type { Dynamo } from '../runtime/dynamo.ts';
import { ApiError, invalid } from '../runtime/errors.ts';
import { queryDigits } from './io/read.ts';
import { type Bits, bitsIn, newestOf } from './layout/bits.ts';
import type { DigitRow } from './layout/digits.ts';
import { blockOfOrder, type Keys } from './layout/keys.ts';
import type { PageRange } from './paging.ts';

/** A sorted list ends here; filters lead to the records behind. */
const MAX_POSITION = 1000;
/** Rows of the first read: one read unit. Later reads take 1,000 rows, and 1,000 more in one place: 125 read units. */
const FIRST_ROWS = 16;

/** The records that fit the filters: their number, those of some records, and all of them. */
type Within = { total: number; among: (some: Bits) => Bits; whole: () => Promise<Bits> };

/**
 * @param by an order that the entity declares
 * @param within without it all records that have a place in this order
 */
type OrderQuery = { by: string; within?: Promise<Within> } & PageRange;

/**
 * The places of a page's records in a declared order: equal ones newest first, records without a place last.
 * @throws validation_failed behind the first 1,000 positions
 * @throws unsupported_filter when too few of the first records match
 */
export async function orderedPositions(
  dynamo: Dynamo,
  keys: Keys,
  { by, within, paginateFrom, paginateSize }: OrderQuery,
): Promise<number[]> {
  const wanted = paginateFrom + paginateSize;
  if (wanted > MAX_POSITION) throw invalid('paginateFrom', BEHIND);
  const most = MAX_POSITION + keys.shards; // the last place that is read may lack rows, and does not count
  for (let limit = FIRST_ROWS; ; limit = most) {
    const [rows, found] = await Promise.all([queryDigits(dynamo, { ...keys.order(by), limit }), within]);
    const ordinals = new Set<number>();
    const isWhole = rows.length < limit;
    for (const together of equalsIn(rows, isWhole)) {
      const here = bitsIn(together, blockOfOrder);
      for (const ordinal of newestOf(found ? found.among(here) : here)) ordinals.add(ordinal);
    }
    const isAll = ordinals.size === found?.total;
    if (isWhole && found && !isAll && ordinals.size < wanted)
      for (const ordinal of newestOf(await found.whole())) ordinals.add(ordinal);
    if (isWhole || isAll || ordinals.size >= wanted) return [...ordinals].slice(paginateFrom, wanted);
    if (limit === most) throw new ApiError('unsupported_filter', TOO_FAR);
  }
}

/** Rows of equal places and one block, which has several where the collection has shards; the last may lack some. */
function equalsIn(rows: readonly DigitRow[], isWhole: boolean): DigitRow[][] {
  const equals = [...Map.groupBy(rows, ({ sk }) => sk.split('#')[0]).values()];
  return isWhole ? equals : equals.slice(0, -1);
}

const BEHIND = `plus paginateSize must be at most ${MAX_POSITION} in a sorted list; filters lead to the records behind`;
const TOO_FAR =
  'These filters leave too few records among those that come first in this order: leave `sort` out, or ask for fewer ' +
  'records with `paginateSize`.';
