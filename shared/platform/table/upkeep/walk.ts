import type { Dynamo } from '../../runtime/dynamo.ts';
import { getRow, queryRows } from '../io/read.ts';
import { type Keys, ordinalIn, type Row } from '../layout/keys.ts';
import type { Contribution } from '../layout/packed.ts';
import { contributionIn } from '../layout/record.ts';

const EMPTY_PARTITIONS = 50; // read in one step before the caller may checkpoint

/**
 * The records of a collection in order of ordinal, read by partition and never by a scan: at most `limit` after
 * `afterOrdinal`. `next` is the `afterOrdinal` of the following step, undefined at the end.
 */
export async function recordsAfter(
  dynamo: Dynamo,
  keys: Keys,
  { afterOrdinal, limit, before = Infinity }: { afterOrdinal: number; limit: number; before?: number },
): Promise<{ rows: Row[]; next: number | undefined }> {
  const end = Math.min(before, await nextOrdinal(dynamo, keys));
  const rows: Row[] = [];
  let reached = afterOrdinal;
  for (let parts = 0; reached + 1 < end && rows.length < limit && parts < EMPTY_PARTITIONS; parts++) {
    const { last, ...range } = keys.recordsFrom(reached + 1);
    const found = await queryRows(dynamo, { ...range, limit: limit - rows.length, consistent: true });
    rows.push(...found);
    reached = rows.length === limit ? ordinalIn(rows.at(-1)?.sk ?? '') : last;
  }
  return { rows, next: reached + 1 < end ? reached : undefined };
}

/** The ordinal that the next new record gets. */
export const nextOrdinal = async (dynamo: Dynamo, keys: Keys): Promise<number> =>
  Number((await getRow(dynamo, keys.ordinals(), true))?.n ?? 0);

/** Ordinals from `from` up to, but without, `before`. Both are multiples of `RANGE`, or infinite. */
export type OrdinalRange = { from: number; before: number };

/** Whole partitions of records and whole blocks of marks; the index rows of this many records take about 20 MB. */
export const RANGE = 2 * 4320;

/** The ranges in which a collection has records. The last one has no end: it takes the records that come meanwhile. */
export async function* rangesOf(dynamo: Dynamo, keys: Keys): AsyncGenerator<OrdinalRange> {
  for (let from = 0; ; from += RANGE) {
    const isLast = from + RANGE >= (await nextOrdinal(dynamo, keys));
    yield { from, before: isLast ? Infinity : from + RANGE };
    if (isLast) return;
  }
}

type Recorded = { row: Row; ordinal: number; contribution: Contribution };

/** Every record of a range with its contribution. */
export async function* walk(
  dynamo: Dynamo,
  keys: Keys,
  { from, before }: OrdinalRange = { from: 0, before: Infinity },
): AsyncGenerator<Recorded> {
  let next: number | undefined = from - 1;
  while (next !== undefined) {
    const step: Awaited<ReturnType<typeof recordsAfter>> = await recordsAfter(dynamo, keys, {
      afterOrdinal: next,
      limit: 1000,
      before,
    });
    for (const row of step.rows) yield { row, ordinal: ordinalIn(row.sk), contribution: contributionIn(row) };
    next = step.next;
  }
}
