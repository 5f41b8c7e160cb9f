import { findings } from '#shared/entities/finding.ts';
import { chunksOf, eachAtOnce } from '#shared/runtime/chunks.ts';
import { writeRows } from '#shared/table/io/commit.ts';
import { type Adds, addChanges, addMarks, contributionOf, NOTHING } from '#shared/table/layout/contribution.ts';
import { keysOf, type Row } from '#shared/table/layout/keys.ts';
import type { Contribution } from '#shared/table/layout/packed.ts';
import { longFieldsIn, rowsOf } from '#shared/table/layout/record.ts';
import type { Table } from '#shared/table/table.ts';
import { takeBlocks } from '#shared/table/upkeep/recount.ts';
import { RANGE } from '#shared/table/upkeep/walk.ts';
import { benchFinding } from './model.ts';

/** One finding in so many was stored by a release that did not index CWEs: `rekey` has to bring it in. */
const OUTDATED = 100;

/**
 * Writes findings and all their rows as the store would have them after so many imports, each row once: an import of a
 * million findings would take an hour.
 */
export async function fillFindings(table: Table, size: number): Promise<void> {
  const keys = keysOf(table.scope, findings);
  const adds: Adds = new Map();
  await table.reserveOrdinals(findings, size);
  for (let from = 0; from < size; from += RANGE) {
    const before = Math.min(size, from + RANGE);
    const rows = Array.from({ length: before - from }, (_, n) => rowsOfFinding(table, from + n, adds)).flat();
    const isLast = before === size;
    const index = takeBlocks(adds, keys, { lists: findings, before: isLast ? Infinity : before });
    await writeAll(table, [...rows, ...summed(index), ...(isLast ? summed(adds) : [])]);
  }
}

function rowsOfFinding(table: Table, ordinal: number, adds: Adds): Row[] {
  const item = benchFinding(ordinal);
  const place = { keys: keysOf(table.scope, findings), ordinal };
  const contribution = contributionAt(ordinal);
  addChanges(adds, place, { from: NOTHING, to: contribution });
  addMarks(adds, place, { set: contribution.marks, clear: [] });
  const { main, detail } = rowsOf(findings, item, {
    ...place,
    contribution,
    details: { fields: longFieldsIn(findings, item) },
  });
  const ranks = contribution.ranks.map((rank) => place.keys.rank(rank, ordinal));
  return [
    main,
    ...(detail ? [detail] : []),
    { ...place.keys.unique('fingerprint', item.fingerprint), id: item.id },
    ...ranks,
  ];
}

function contributionAt(ordinal: number): Contribution {
  const contribution = contributionOf(findings, benchFinding(ordinal));
  if (ordinal % OUTDATED !== 0) return contribution;
  return { ...contribution, marks: contribution.marks.filter((mark) => !mark.startsWith('cwe=')) };
}

const summed = (adds: Adds): Row[] =>
  [...adds.values()].map(({ key, add }) => ({ ...key, ...Object.fromEntries(add) }));

async function writeAll({ dynamo }: Table, rows: Row[]): Promise<void> {
  await eachAtOnce(chunksOf(rows, 250), 4, (put) => writeRows(dynamo, { put }));
}
