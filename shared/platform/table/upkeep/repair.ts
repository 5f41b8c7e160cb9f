import type { Dynamo } from '../../runtime/dynamo.ts';
import { Overtaken } from '../../runtime/errors.ts';
import { unlessOvertaken } from '../../runtime/retry.ts';
import { asStored } from '../batch.ts';
import { ABSENT, commit, type Expression, type Write } from '../io/commit.ts';
import { type Keys, ordinalOfRank } from '../layout/keys.ts';
import { ownOrAbsent } from '../unique.ts';
import type { CounterDifference, RankDifference, UniqueDifference } from './difference.ts';

const fail = () => new Overtaken();
const absent: Expression = { ConditionExpression: ABSENT };

/** Adds the difference to each row if the row is still as it was read. */
export async function repairCounters(dynamo: Dynamo, differences: CounterDifference[]): Promise<void> {
  for (const row of Map.groupBy(differences, ({ pk, sk }) => `${pk}\n${sk}`).values()) {
    const [first] = row;
    if (!first) continue;
    const repaired = await attempt(dynamo, [{ change: { pk: first.pk, sk: first.sk }, ...addition(row), fail }]);
    for (const difference of row) difference.repaired = repaired;
  }
}

function addition(row: CounterDifference[]) {
  const same = row.map(({ stands }, n) =>
    stands === 0n ? `(attribute_not_exists(#${n}) OR #${n} = :s${n})` : `#${n} = :s${n}`,
  );
  const condition: Expression = {
    ConditionExpression: same.join(' AND '),
    ExpressionAttributeNames: Object.fromEntries(row.map(({ attribute }, n) => [`#${n}`, attribute])),
    ExpressionAttributeValues: Object.fromEntries(row.map(({ stands }, n) => [`:s${n}`, stands])),
  };
  return {
    add: Object.fromEntries(row.map(({ attribute, stands, expected }) => [attribute, expected - stands])),
    condition,
  };
}

/** Puts or removes a rank row, if its record is still as it was read. */
export async function repairRank(dynamo: Dynamo, keys: Keys, difference: RankDifference): Promise<void> {
  const { pk, sk, record, expected } = difference;
  const condition = record ? asStored(record) : absent;
  const check: Write = { check: keys.record(ordinalOfRank(sk)), condition, fail };
  const write: Write = expected === null ? { remove: { pk, sk } } : { put: { pk, sk } };
  difference.repaired = await attempt(dynamo, [check, write]);
}

/** Makes the row of a unique value if no other record has the value. */
export async function repairUnique(dynamo: Dynamo, difference: UniqueDifference): Promise<void> {
  const { record, row } = difference;
  const condition = asStored(record);
  const put: Write = { put: row, condition: ownOrAbsent(String(row.id)), fail };
  difference.repaired = await attempt(dynamo, [{ check: record, condition, fail }, put]);
}

/** A row that another writer changed first stays reported as not repaired. */
const attempt = (dynamo: Dynamo, writes: Write[]): Promise<boolean> =>
  unlessOvertaken(commit(dynamo, writes, new Map()));
