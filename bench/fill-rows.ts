import { chunksOf, eachAtOnce } from '#shared/platform/runtime/chunks.ts';
import type { Entity, Stored } from '#shared/platform/table/entity.ts';
import { writeRows } from '#shared/platform/table/io/commit.ts';
import { runsIn } from '#shared/platform/table/io/dense.ts';
import {
  type Adds,
  addChanges,
  addMarks,
  type ContributionChange,
  contributionOf,
  NOTHING,
} from '#shared/platform/table/layout/contribution.ts';
import { addGrouped } from '#shared/platform/table/layout/grouped.ts';
import { keysOf, type Row } from '#shared/platform/table/layout/keys.ts';
import type { Contribution } from '#shared/platform/table/layout/packed.ts';
import { longFieldsIn, rowsOf } from '#shared/platform/table/layout/record.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { uniqueRows } from '#shared/platform/table/unique.ts';
import { takeBlocks } from '#shared/platform/table/upkeep/recount.ts';
import { RANGE } from '#shared/platform/table/upkeep/walk.ts';

type Filled<T extends Stored> = {
  size: number;
  /** The record of each ordinal: each run gives the same record, except for its time and the random part of its id. */
  itemAt: (ordinal: number) => T;
  /** Fields that no other row depends on. */
  complete?: (item: T) => T;
  /** The contribution of a record, where it is not that which its entity declares today. */
  contributionAt?: (item: T, ordinal: number) => Contribution;
  /** Records that were written and deleted: they leave zeros in the rows of the index. */
  isDeleted?: (ordinal: number) => boolean;
  /** Without the records themselves; `recordsOn` writes those that a measured page reads. */
  indexAlone?: boolean;
};

/**
 * Writes records and all their rows as after many imports, each row once: an import of a million records would take an
 * hour. test/bench/fill-rows.test.ts compares the rows with the rows of real writes.
 */
export async function fillRows<T extends Stored, D extends keyof T>(
  table: Table,
  entity: Entity<T, D>,
  filled: Filled<T>,
): Promise<void> {
  const { size, indexAlone = false } = filled;
  const keys = keysOf(table.tenant, entity);
  const adds: Adds = new Map();
  await table.reserveOrdinals(entity, size);
  for (let from = 0; from < size; from += RANGE) {
    const before = Math.min(size, from + RANGE);
    const rows: Row[] = [];
    for (let ordinal = from; ordinal < before; ordinal++) {
      const own = rowsOfRecord(table, entity, { filled, ordinal, adds });
      if (!indexAlone) rows.push(...own());
    }
    const isLast = before === size;
    const index = takeBlocks(adds, keys, { lists: entity, before: isLast ? Infinity : before });
    await writeAll(table, [...rows, ...summed(index), ...(isLast ? summed(adds) : [])]);
  }
}

/** Writes the records that a page reads: its own, and those that a read of a range takes along. */
export async function recordsOn<T extends Stored, D extends keyof T>(
  table: Table,
  entity: Entity<T, D>,
  { filled, ordinals }: { filled: Filled<T>; ordinals: readonly number[] },
): Promise<void> {
  const { runs, alone } = runsIn(ordinals, NEIGHBOURS);
  const wanted = runs.flatMap(({ from, to }) => Array.from({ length: to - from + 1 }, (_, n) => from + n));
  const rows = [...alone, ...wanted].flatMap((ordinal) =>
    rowsOfRecord(table, entity, { filled, ordinal, adds: new Map() })(),
  );
  await writeAll(table, rows);
}

/** Not fewer than a page's reads take along (`io/dense.ts`). */
const NEIGHBOURS = 8;

/** Counts a record in; @returns its own rows */
function rowsOfRecord<T extends Stored, D extends keyof T>(
  { tenant }: Table,
  entity: Entity<T, D>,
  { filled, ordinal, adds }: { filled: Filled<T>; ordinal: number; adds: Adds },
): () => Row[] {
  const started = filled.itemAt(ordinal);
  const contribution = filled.contributionAt?.(started, ordinal) ?? contributionOf(entity, started);
  const place = { keys: keysOf(tenant, entity), ordinal };
  const { grouped } = entity;
  const count = (change: ContributionChange) => {
    addChanges(adds, place, change);
    if (grouped) addGrouped(adds, place, { grouped, change });
  };
  count({ from: NOTHING, to: contribution });
  addMarks(adds, place, { set: contribution.marks, clear: [] });
  if (filled.isDeleted?.(ordinal)) {
    count({ from: contribution, to: NOTHING });
    addMarks(adds, place, { set: [], clear: contribution.marks });
    return () => [];
  }
  return () => {
    const item = filled.complete?.(started) ?? started;
    const details = { fields: longFieldsIn(entity, item) };
    const { main, detail } = rowsOf(entity, item, { ...place, contribution, details });
    const unique = uniqueRows(place.keys, item.id, entity.unique(item)).map(({ row }) => row);
    const ranks = contribution.ranks.map((rank) => place.keys.rank(rank, ordinal));
    return [main, ...(detail ? [detail] : []), ...unique, ...ranks];
  };
}

/** The rows of sums, as they are after all additions. */
export const summed = (adds: Adds): Row[] =>
  [...adds.values()].map(({ key, add }) => ({ ...key, ...Object.fromEntries(add) }));

async function writeAll({ dynamo }: Table, rows: Row[]): Promise<void> {
  await eachAtOnce(chunksOf(rows, 250), 4, (put) => writeRows(dynamo, { put }));
}
