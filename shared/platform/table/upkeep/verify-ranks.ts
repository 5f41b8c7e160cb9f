import type { Dynamo } from '../../runtime/dynamo.ts';
import { getRow, queryRows } from '../io/read.ts';
import { type Key, type Keys, ordinalOfRank, rankTextIn } from '../layout/keys.ts';
import { contributionIn } from '../layout/record.ts';
import type { RankDifference } from './difference.ts';
import type { Recount } from './recount.ts';

/** Missing rank rows, and rank rows without a record. Each is checked again, together with its record. */
export async function rankDifferences(dynamo: Dynamo, keys: Keys, expected: Recount) {
  const settled: RankDifference[] = [];
  let unsettled = 0;
  const pk = keys.ranksPartition;
  const stands = new Set((await queryRows(dynamo, { pk, all: true, consistent: true })).map(({ sk }) => sk));
  const { ranks } = expected;
  for (const sk of [...stands, ...ranks].filter((one) => !stands.has(one) || !ranks.has(one))) {
    const difference = await rankDifference(dynamo, keys, { pk, sk });
    if (!difference) continue;
    if (isPending(difference, expected)) unsettled++;
    else settled.push(difference);
  }
  return { settled, unsettled };
}

/** A record that is being made may appear between the two reads. */
const isPending = ({ record, sk }: RankDifference, { settledBelow }: Recount): boolean =>
  !record && ordinalOfRank(sk) >= settledBelow;

async function rankDifference(dynamo: Dynamo, keys: Keys, key: Key): Promise<RankDifference | undefined> {
  const [record, row] = await Promise.all([
    getRow(dynamo, keys.record(ordinalOfRank(key.sk)), true),
    getRow(dynamo, key, true),
  ]);
  const rank = rankTextIn(key.sk);
  const wanted = record !== undefined && contributionIn(record).ranks.includes(rank);
  if (wanted === (row !== undefined)) return undefined;
  const [stands, expected] = row ? [rank, null] : [null, rank];
  return { ...key, kind: 'rank', stands, expected, repaired: false, record };
}
