import type { Dynamo } from '../runtime/dynamo.ts';
import type { Stored } from './entity.ts';
import { rowsOfOrdinals } from './io/dense.ts';
import { getPair } from './io/read.ts';
import { type Keys, ordinalIn, type Row } from './layout/keys.ts';
import { belongTogether, recordOf } from './layout/record.ts';

/** The records at these ordinals with their detail fields, in their order: two round trips for any number. */
export async function wholeRecords<T extends Stored>(
  dynamo: Dynamo,
  keys: Keys,
  { ordinals, consistent }: { ordinals: readonly number[]; consistent: boolean },
): Promise<T[]> {
  const rows = await rowsOfOrdinals(dynamo, keys.record, { ordinals, consistent });
  const pairs = await withDetails(dynamo, keys, { rows, consistent });
  const found = new Map(pairs.map(([row, detail]) => [ordinalIn(row.sk), recordOf<T>(row, detail)]));
  return ordinals.flatMap((ordinal) => found.get(ordinal) ?? []);
}

export type Pair = [row: Row, detail: Row | undefined];

/** The rows of records with the rows of their detail fields, both of one version; deleted records are left out. */
export async function withDetails(
  dynamo: Dynamo,
  keys: Keys,
  { rows, consistent }: { rows: readonly Row[]; consistent: boolean },
): Promise<Pair[]> {
  const apart = rows.filter(({ _d }) => _d !== undefined);
  const ordinals = apart.map(({ sk }) => ordinalIn(sk));
  const details = await rowsOfOrdinals(dynamo, keys.detail, { ordinals, consistent });
  const detailOf = new Map(details.map((detail) => [detail.sk, detail]));
  const pairs = await Promise.all(
    rows.map(async (row): Promise<Pair | undefined> => {
      const detail = detailOf.get(row.sk);
      return belongTogether(row, detail) ? [row, detail] : pairAt(dynamo, keys, ordinalIn(row.sk));
    }),
  );
  return pairs.flatMap((pair) => (pair ? [pair] : []));
}

/** Reads both rows again, because a write came between the two reads. */
async function pairAt(dynamo: Dynamo, keys: Keys, ordinal: number): Promise<Pair | undefined> {
  const [main, detail] = await getPair(dynamo, [keys.record(ordinal), keys.detail(ordinal)], true);
  return main && [main, detail];
}
