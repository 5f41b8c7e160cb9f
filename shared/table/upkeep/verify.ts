import type { Dynamo } from '../../runtime/dynamo.ts';
import type { Entity, Stored } from '../entity.ts';
import { getRows } from '../io/read.ts';
import { workJournal } from '../journal.ts';
import { type Keys, keysOf, type Row } from '../layout/keys.ts';
import { recordOf } from '../layout/record.ts';
import type { Table } from '../table.ts';
import type { CounterDifference, Difference } from './difference.ts';
import { type Recount, recount, standingCounters } from './recount.ts';
import { repairCounters, repairRank, repairUnique } from './repair.ts';
import { rankDifferences } from './verify-ranks.ts';
import { type Claim, uniqueDifferences } from './verify-unique.ts';

type Verification = {
  records: number;
  differences: Difference[];
  /** Differences that other writers were changing during the check: they are no sign of an error. */
  unsettled: number;
};

/**
 * Recounts one collection of one organization from its records' contributions, compares every row that counts, places
 * or finds them, and repairs differences on request. Safe while the service runs: a difference counts only if two
 * passes agree on it and nobody wrote the row in between, and a repair requires that the row is still as it was read.
 *
 * It reads by key only, so it does not see rows that no record leads to: lists of parents and values of tallies without
 * records, search rows under a first letter that is neither Latin nor in any record, and unique values of records that
 * were deleted.
 */
export async function verify<T extends Stored, D extends keyof T>(
  { dynamo, scope }: Table,
  entity: Entity<T, D>,
  { repair = false }: { repair?: boolean } = {},
): Promise<Verification> {
  const keys = keysOf(scope, entity);
  await workJournal(dynamo, keys);
  const claims: Claim[] = [];
  const expected = await recount(dynamo, keys, (row) => claims.push(...claimsOf(keys, entity, row)));
  const counters = await counterDifferences(dynamo, keys, expected);
  const ranks = await rankDifferences(dynamo, keys, expected);
  const unique = await uniqueDifferences(dynamo, claims);
  const differences = [...counters.settled, ...ranks.settled, ...unique];
  if (repair) {
    await repairCounters(dynamo, counters.settled);
    for (const difference of ranks.settled) await repairRank(dynamo, keys, difference);
    for (const difference of unique) await repairUnique(dynamo, difference);
  }
  return {
    records: expected.records,
    differences: differences.map(({ pk, sk, kind, attribute, stands, expected, repaired }) => {
      return { pk, sk, kind, attribute, stands, expected, repaired };
    }),
    unsettled: counters.unsettled + ranks.unsettled,
  };
}

const claimsOf = <T extends Stored, D extends keyof T>(keys: Keys, entity: Entity<T, D>, row: Row): Claim[] =>
  Object.entries(entity.unique(recordOf<T>(row))).flatMap(([field, value]) =>
    value == null ? [] : [{ ...keys.unique(field, value), record: row }],
  );

/** The second pass recounts between two readings of the rows in which the first pass saw a difference. */
async function counterDifferences(dynamo: Dynamo, keys: Keys, expected: Recount) {
  const first = compare(expected, await standingCounters(dynamo, keys, expected));
  if (first.length === 0) return { settled: [], unsettled: 0 };
  const doubted = [...new Map(first.map((one) => [`${one.pk}\n${one.sk}`, { pk: one.pk, sk: one.sk }])).values()];
  const before = byKey(await getRows(dynamo, doubted, true));
  const again = await recount(dynamo, keys);
  const after = byKey(await getRows(dynamo, doubted, true));
  const amounts = new Map(first.map((one) => [nameOf(one), one.expected - one.stands]));
  const known = new Set(doubted.map(({ pk, sk }) => `${pk}\n${sk}`));
  const second = compare(again, after).filter((one) => known.has(`${one.pk}\n${one.sk}`));
  const settled = second.filter((one) => {
    const stood = amountIn(before.get(`${one.pk}\n${one.sk}`), one.attribute);
    return stood === one.stands && amounts.get(nameOf(one)) === one.expected - one.stands;
  });
  return { settled, unsettled: second.length - settled.length };
}

function compare(expected: Recount, standing: Map<string, Row>): CounterDifference[] {
  const differences: CounterDifference[] = [];
  for (const id of new Set([...expected.counters.keys(), ...standing.keys()])) {
    const row = standing.get(id);
    const counter = expected.counters.get(id);
    const { pk = '', sk = '' } = row ?? counter?.key ?? {};
    for (const attribute of new Set([...(counter?.add.keys() ?? []), ...Object.keys(row ?? {})])) {
      if (attribute === 'pk' || attribute === 'sk') continue;
      const [stands, wanted] = [amountIn(row, attribute), BigInt(counter?.add.get(attribute) ?? 0)];
      if (stands !== wanted)
        differences.push({ pk, sk, kind: 'counter', attribute, stands, expected: wanted, repaired: false });
    }
  }
  return differences;
}

const amountIn = (row: Row | undefined, attribute: string): bigint => BigInt(row?.[attribute] ?? 0);
const byKey = (rows: Row[]) => new Map(rows.map((row) => [`${row.pk}\n${row.sk}`, row]));
const nameOf = ({ pk, sk, attribute }: CounterDifference): string => `${pk}\n${sk}\n${attribute}`;
