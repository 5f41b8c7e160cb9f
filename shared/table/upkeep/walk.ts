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
  { afterOrdinal, limit }: { afterOrdinal: number; limit: number },
): Promise<{ rows: Row[]; next: number | undefined }> {
  const end = Number((await getRow(dynamo, keys.ordinals(), true))?.n ?? 0);
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

type Recorded = { row: Row; ordinal: number; contribution: Contribution };

/** Every record of a collection with its contribution. */
export async function* walk(dynamo: Dynamo, keys: Keys): AsyncGenerator<Recorded> {
  let next: number | undefined = -1;
  while (next !== undefined) {
    const step: Awaited<ReturnType<typeof recordsAfter>> = await recordsAfter(dynamo, keys, {
      afterOrdinal: next,
      limit: 1000,
    });
    for (const row of step.rows) yield { row, ordinal: ordinalIn(row.sk), contribution: contributionIn(row) };
    next = step.next;
  }
}
