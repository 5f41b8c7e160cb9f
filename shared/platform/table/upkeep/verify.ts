import type { Dynamo } from '../../runtime/dynamo.ts';
import type { Entity, Stored } from '../entity.ts';
import { workJournal } from '../journal.ts';
import { type Keys, keysOf, type Row } from '../layout/keys.ts';
import { recordOf } from '../layout/record.ts';
import type { Table } from '../table.ts';
import { uniqueRows } from '../unique.ts';
import { type Pair, withDetails } from '../whole.ts';
import type { Difference, UniqueDifference } from './difference.ts';
import { emptyRecount, recount, takeBlocks } from './recount.ts';
import { repairCounters, repairRank, repairUnique } from './repair.ts';
import { rankDifferences } from './verify-ranks.ts';
import { idOf, type Settled, type Verified, verifyBlocks, verifyWholes } from './verify-rows.ts';
import { verifyStrays } from './verify-strays.ts';
import { type Claim, uniqueDifferences } from './verify-unique.ts';
import { rangesOf } from './walk.ts';

type Verification = {
  records: number;
  differences: Difference[];
  /** Differences that other writers were changing during the check: they are no sign of an error. */
  unsettled: number;
};

/**
 * Recounts one collection of one organization from its records' contributions, compares every counter, position and
 * mark row, and repairs differences on request. Safe while the service runs: a difference counts only if two passes
 * agree on it and nobody wrote the row in between, and a repair requires an unchanged row.
 *
 * Rows of masks and marks are compared range by range, because the rows of all records would not fit into memory. Rows
 * without a record are found by the number of rows, in partitions where other rows are right.
 *
 * It reads by key only, so it does not see partitions without records: lists of deleted parents, tallies and index
 * values without records, words with a beginning that no record has, and unique values of deleted records.
 */
export async function verify<T extends Stored, D extends keyof T>(
  { dynamo, tenant }: Table,
  entity: Entity<T, D>,
  { repair = false }: { repair?: boolean } = {},
): Promise<Verification> {
  const keys = keysOf(tenant, entity);
  const of: Verified = { dynamo, keys, lists: entity };
  const found = foundIn({ dynamo, keys, repair });
  await workJournal(dynamo, keys);
  const expected = emptyRecount();
  const current = new Map([[keys.masks('', 0, 0).pk, 0]]);
  for await (const range of rangesOf(dynamo, keys)) {
    const claims: Claim[] = [];
    const apart: Row[] = [];
    const visit = (row: Row) =>
      row._d === undefined ? claims.push(...claimsOf(keys, entity, [row, undefined])) : apart.push(row);
    await recount(dynamo, keys, { range, into: expected, grouped: entity.grouped, visit });
    // a unique value may be a detail field, which is in a row of its own where a record is long
    const pairs = await withDetails(dynamo, keys, { rows: apart, consistent: true });
    for (const pair of pairs) claims.push(...claimsOf(keys, entity, pair));
    const rows = takeBlocks(expected.rows, keys, { lists: entity, before: range.before });
    await found.counters(await verifyBlocks(of, { rows, range, current }));
    await found.unique(await uniqueDifferences(dynamo, claims));
  }
  await found.counters(await verifyStrays(of, { current, reported: found.rows }));
  await found.counters(await verifyWholes(of, expected.rows));
  await found.ranks(await rankDifferences(dynamo, keys, expected));
  return { records: expected.records, ...found.report };
}

/** Collects differences, and repairs them on request. */
function foundIn({ dynamo, keys, repair }: { dynamo: Dynamo; keys: Keys; repair: boolean }) {
  const report: Omit<Verification, 'records'> = { differences: [], unsettled: 0 };
  const rows = new Set<string>();
  const keep = (differences: Difference[], unsettled = 0) => {
    report.unsettled += unsettled;
    for (const { pk, sk, kind, attribute, stands, expected, repaired } of differences) {
      report.differences.push({ pk, sk, kind, attribute, stands, expected, repaired });
      rows.add(idOf({ pk, sk }));
    }
  };
  return {
    report,
    /** The rows that differ. */
    rows,
    async counters({ settled, unsettled }: Settled) {
      if (repair) await repairCounters(dynamo, settled);
      keep(settled, unsettled);
    },
    async ranks({ settled, unsettled }: Awaited<ReturnType<typeof rankDifferences>>) {
      if (repair) for (const one of settled) await repairRank(dynamo, keys, one);
      keep(settled, unsettled);
    },
    async unique(found: UniqueDifference[]) {
      if (repair) for (const one of found) await repairUnique(dynamo, one);
      keep(found);
    },
  };
}

/** Only the fields that a repair compares: a range has thousands of records. */
const claimsOf = <T extends Stored, D extends keyof T>(
  keys: Keys,
  entity: Entity<T, D>,
  [row, detail]: Pair,
): Claim[] =>
  uniqueRows(keys, String(row.id), entity.unique(recordOf<T>(row, detail))).map(({ row: expected }) => {
    const { pk, sk, id, version, _c } = row;
    return { expected, record: { pk, sk, id, version, _c } };
  });
