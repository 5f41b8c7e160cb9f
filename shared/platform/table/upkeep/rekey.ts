import { currentDay } from '../../runtime/clock.ts';
import { Overtaken } from '../../runtime/errors.ts';
import { retry, unlessOvertaken } from '../../runtime/retry.ts';
import { asStored } from '../batch.ts';
import type { Entity, Stored } from '../entity.ts';
import { commit, MAX_TRANSACTION, type Write } from '../io/commit.ts';
import { rowsOfOrdinals } from '../io/dense.ts';
import { getRow } from '../io/read.ts';
import { workJournal } from '../journal.ts';
import {
  type Adds,
  addChanges,
  addMarks,
  type ContributionChange,
  contributionOf,
  effective,
  markChanges,
  type RecordPlace,
  rankChanges,
} from '../layout/contribution.ts';
import { addDaily, addPast, DAILY } from '../layout/daily.ts';
import { addGrouped } from '../layout/grouped.ts';
import { type Keys, keysOf, ordinalIn, type Row } from '../layout/keys.ts';
import { contributionIn, longFieldsIn, recordOf, rowsOf } from '../layout/record.ts';
import type { Table } from '../table.ts';
import { type Pair, withDetails } from '../whole.ts';
import { recordsAfter } from './walk.ts';

type RekeyStep = {
  /** `afterOrdinal` of the next step; undefined when the collection is done. */
  next: number | undefined;
  seen: number;
  rewritten: number;
};

/**
 * Brings old records to the declarations of the current release: new facets, tallies, search words and parent lists.
 * One step takes up to `limit` records after `afterOrdinal`; a job checkpoints `next` and continues there. Repeating a
 * step changes nothing. Callers notice nothing: `version` and `updatedAt` stay, and a writer that read a record before
 * and writes it afterwards is not refused.
 *
 * At every moment the counters equal the sum of the records' contributions. A function of the old release that still
 * runs returns a record to the old declarations, so rekey again when no such function runs.
 *
 * Rekey cannot change the dimensions of an existing list or the number of shards, because a record's place in a row
 * depends on them: declare a list of a new name instead. `verify` makes the rows of newly declared unique values.
 */
export async function rekey<T extends Stored, D extends keyof T>(
  table: Table,
  entity: Entity<T, D>,
  { afterOrdinal = -1, limit = 500 }: { afterOrdinal?: number; limit?: number } = {},
): Promise<RekeyStep> {
  const keys = keysOf(table.tenant, entity);
  const { rows, next } = await recordsAfter(table.dynamo, keys, { afterOrdinal, limit });
  return { next, seen: rows.length, rewritten: await rekeyRows(table, entity, rows) };
}

/** The same for the records at these ordinals. */
export async function rekeyRecords<T extends Stored, D extends keyof T>(
  table: Table,
  entity: Entity<T, D>,
  ordinals: readonly number[],
): Promise<void> {
  const keys = keysOf(table.tenant, entity);
  const rows = await rowsOfOrdinals(table.dynamo, keys.record, { ordinals, consistent: true });
  await rekeyRows(table, entity, rows);
}

/** @returns how many it rewrote */
async function rekeyRows<T extends Stored, D extends keyof T>(
  table: Table,
  entity: Entity<T, D>,
  rows: readonly Row[],
): Promise<number> {
  const keys = keysOf(table.tenant, entity);
  const pairs = await withDetails(table.dynamo, keys, { rows, consistent: true });
  // a cleared bit must have been set: the bits of records from a bulk batch may still be in the journal
  if (entity.journal) await workJournal(table.dynamo, keys);
  const outdated = pairs.flatMap((pair) => rewriteOf(keys, entity, pair) ?? []);
  for (const group of groupsOf(outdated)) {
    if (await unlessOvertaken(write(table, group))) continue;
    for (const { row } of group) await rewriteAlone(table, entity, row);
  }
  return outdated.length;
}

type Rewrite = { row: Row; writes: Write[]; count: (adds: Adds) => void };

/** The writes that bring a record to the current declarations; undefined if it is there already. */
function rewriteOf<T extends Stored, D extends keyof T>(
  keys: Keys,
  entity: Entity<T, D>,
  [row, detail]: Pair,
): Rewrite | undefined {
  const place = { keys, ordinal: ordinalIn(row.sk) };
  const item = recordOf<T>(row, detail);
  const change = { from: contributionIn(row), to: contributionOf(entity, item) };
  // the detail fields stay where they are, so that nobody who read the record looks for them elsewhere
  const { main } = rowsOf(entity, item, {
    ...place,
    contribution: change.to,
    details: row._d === undefined ? { fields: longFieldsIn(entity, item), inside: true } : { version: Number(row._d) },
  });
  if (main._c === row._c) return undefined;
  const { put, remove } = rankChanges(place, change);
  return {
    row,
    writes: [
      { put: main, condition: asStored(row), fail: () => new Overtaken() },
      ...put.map((rank) => ({ put: rank })),
      ...remove.map((rank) => ({ remove: rank })),
    ],
    count: (adds) => {
      addChanges(adds, place, change);
      if (entity.grouped) addGrouped(adds, place, { grouped: entity.grouped, change });
      if (entity.daily) addDays(adds, place, { entity, item, change });
      addMarks(adds, place, markChanges(change));
    },
  };
}

type Rekeyed<T extends Stored> = { entity: Pick<Entity<T>, 'daily' | 'main'>; item: T; change: ContributionChange };

/** A record that was not counted by day yet is counted on the days of its past, another one on the present day. */
function addDays<T extends Stored>(adds: Adds, { keys }: RecordPlace, { entity, item, change }: Rekeyed<T>): void {
  if (!change.from.facets[DAILY]) addPast(adds, keys, { entity, item, to: change.to });
  else if (entity.daily) addDaily(adds, keys, { marks: entity.daily.marks, change, day: currentDay() });
}

/** Groups of as many rewrites as fit a transaction, so that each group writes a counter row once. */
function groupsOf(rewrites: Rewrite[]): Rewrite[][] {
  const groups: Rewrite[][] = [];
  let adds: Adds = new Map();
  let size = 0;
  for (const rewrite of rewrites) {
    rewrite.count(adds);
    size += rewrite.writes.length;
    const group = groups.at(-1);
    if (group && size + effective(adds).length <= MAX_TRANSACTION) {
      group.push(rewrite);
      continue;
    }
    adds = new Map();
    rewrite.count(adds);
    size = rewrite.writes.length;
    groups.push([rewrite]);
  }
  return groups;
}

function write({ dynamo }: Table, group: Rewrite[]): Promise<void> {
  const adds: Adds = new Map();
  for (const { count } of group) count(adds);
  const writes = group.flatMap(({ writes }) => writes);
  return commit(dynamo, writes, adds);
}

async function rewriteAlone<T extends Stored, D extends keyof T>(
  table: Table,
  entity: Entity<T, D>,
  { pk, sk }: Row,
): Promise<void> {
  const keys = keysOf(table.tenant, entity);
  await retry(async () => {
    const row = await getRow(table.dynamo, { pk, sk }, true);
    const [pair] = row ? await withDetails(table.dynamo, keys, { rows: [row], consistent: true }) : [];
    if (entity.journal) await workJournal(table.dynamo, keys);
    const rewrite = pair && rewriteOf(keys, entity, pair);
    if (rewrite) await write(table, [rewrite]);
  });
}
