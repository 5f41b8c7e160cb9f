import type { Dynamo } from '../runtime/dynamo.ts';
import type { Stored } from './entity.ts';
import { getPair, getRows } from './io/read.ts';
import { type Key, type Keys, ordinalIn } from './layout/keys.ts';
import { belongTogether, recordOf } from './layout/record.ts';

/** The records at these ordinals with their detail fields, in their order: two round trips for any number. */
export async function wholeRecords<T extends Stored>(
  dynamo: Dynamo,
  keys: Keys,
  { ordinals, consistent }: { ordinals: readonly number[]; consistent: boolean },
): Promise<T[]> {
  const rows = await getRows(dynamo, ordinals.map(keys.record), consistent);
  const apart = rows.filter(({ _d }) => _d !== undefined);
  const details = await getRows(
    dynamo,
    apart.map(({ sk }) => keys.detail(ordinalIn(sk))),
    consistent,
  );
  const detailOf = new Map(details.map((detail) => [detail.sk, detail]));
  const found = new Map<number, T>();
  for (const row of rows) {
    const ordinal = ordinalIn(row.sk);
    const detail = detailOf.get(row.sk);
    const [main, side] = belongTogether(row, detail) ? [row, detail] : await pairAt(dynamo, keys, ordinal);
    if (main) found.set(ordinal, recordOf<T>(main, side));
  }
  return ordinals.flatMap((ordinal) => found.get(ordinal) ?? []);
}

/** Both rows once more, because a write came between the two reads. */
const pairAt = (dynamo: Dynamo, keys: Keys, ordinal: number) => {
  const pair: [Key, Key] = [keys.record(ordinal), keys.detail(ordinal)];
  return getPair(dynamo, pair, true);
};
