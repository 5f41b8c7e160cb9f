import type { Entry } from '#functions/workers/ingest/entry.ts';
import { branchFindings } from '#shared/entities/branch-finding.ts';
import { findings, type StoredFinding } from '#shared/entities/finding.ts';
import { findSeen, type SeenRecord } from '#shared/findings/scan-state.ts';
import type { FindingDetail, FindingRow } from '#shared/findings/view.ts';
import { ordinalOf } from '#shared/runtime/ids.ts';
import { getRows } from '#shared/table/io/read.ts';
import { keysOf } from '#shared/table/layout/keys.ts';
import { listItemOf } from '#shared/table/layout/record.ts';
import type { Table } from '#shared/table/table.ts';
import { idsOf } from './ids.ts';
import type { Session } from './session.ts';

/** An entry with its last sighting and its finding, if known. */
export type KnownEntry = {
  entry: Entry;
  seen: SeenRecord | undefined;
  standing: FindingRow | undefined;
  /** The finding stands under an earlier name of the default branch. */
  isRenamed?: boolean;
  /** Of a report on a branch: the finding of the branch with which it is compared. It stays as it is. */
  base?: FindingRow;
  /** Of a report on the default branch: the finding of a branch that was merged. */
  merged?: FindingRow;
};

type Lookup = { entries: readonly Entry[]; consistent: boolean };

/**
 * Finds the known findings of the entries: in the scope's state, else by the fingerprints that other scopes wrote.
 * @param consistent after a conflict or a restart, when a write that is a moment old matters
 */
export async function lookUp(session: Session, { entries, consistent }: Lookup): Promise<KnownEntry[]> {
  const { table, state, entity, merging } = session;
  const seen = entries.map(({ fingerprint }) => findSeen(state, fingerprint));
  const strangers = entries.filter((_, n) => !seen[n]);
  const ids = await idsOf(table, entity, { field: 'fingerprint', values: fingerprintsOf(strangers), consistent });
  const idOf = (n: number) => seen[n]?.id ?? ids.get(entries[n]?.fingerprint ?? '');
  const wanted = entries.flatMap((_, n) => idOf(n) ?? []);
  const rows = await rowsOf(session, wanted, consistent);
  const known = entries.map((entry, n): KnownEntry => {
    const standing = rows.get(idOf(n) ?? '');
    // sightings of a finding that was deleted since are not those of the one that is made now
    return { entry, seen: standing && seen[n], standing };
  });
  if (entity !== findings) return withBase(session, known, consistent);
  const named = await withFormerNames(session, known, consistent);
  return named.map((one) => (one.standing ? one : { ...one, merged: merging.get(one.entry.problem ?? '') }));
}

const fingerprintsOf = (entries: readonly Entry[]): string[] => entries.map(({ fingerprint }) => fingerprint);

/** The same for findings that stand under an earlier name of the default branch. */
async function withFormerNames(session: Session, known: KnownEntry[], consistent: boolean): Promise<KnownEntry[]> {
  const strangers = known.flatMap(({ standing, entry }) => (standing ? [] : (entry.others ?? [])));
  if (strangers.length === 0) return known;
  const rows = await rowsBehind(session.table, findings, { fingerprints: strangers, consistent });
  return known.map((one) => {
    const standing = one.standing ?? first(one.entry.others, rows);
    return { ...one, standing, isRenamed: standing !== one.standing };
  });
}

/** Adds what the default branch, or the branch with which the report is compared, has and has not repaired. */
async function withBase({ table }: Session, known: KnownEntry[], consistent: boolean): Promise<KnownEntry[]> {
  const [onDefault, onBase] = await Promise.all([
    rowsBehind(table, findings, { fingerprints: known.flatMap(({ entry }) => entry.others ?? []), consistent }),
    rowsBehind(table, branchFindings, { fingerprints: known.flatMap(({ entry }) => entry.base ?? []), consistent }),
  ]);
  return known.map((one) => {
    const { others, base } = one.entry;
    const isThere = (row: FindingRow | undefined) => (row?.status === 'fixed' ? undefined : row);
    return {
      ...one,
      base: isThere(first(others, onDefault)) ?? isThere(first(base === undefined ? [] : [base], onBase)),
    };
  });
}

const first = (fingerprints: readonly string[] = [], rows: ReadonlyMap<string, FindingRow>): FindingRow | undefined =>
  fingerprints.flatMap((fingerprint) => rows.get(fingerprint) ?? [])[0];

type Behind = { fingerprints: readonly string[]; consistent: boolean };

async function rowsBehind(table: Table, entity: typeof findings, { fingerprints, consistent }: Behind) {
  const ids = await idsOf(table, entity, { field: 'fingerprint', values: fingerprints, consistent });
  const rows = await rowsOf({ table, entity }, [...ids.values()], consistent);
  return new Map(
    [...ids].flatMap(([fingerprint, id]) => {
      const row = rows.get(id);
      return row ? [[fingerprint, row] as const] : [];
    }),
  );
}

type Place = Pick<Session, 'table' | 'entity'>;

/** The list rows of these findings. */
export async function rowsOf(
  { table, entity }: Place,
  ids: readonly string[],
  consistent = true,
): Promise<Map<string, FindingRow>> {
  const keys = keysOf(table.scope, entity);
  const wanted = [...new Set(ids)].map((id) => keys.record(ordinalOf(id)));
  const rows = await getRows(table.dynamo, wanted, consistent);
  return new Map(rows.map((row) => [String(row.id), listItemOf<StoredFinding, FindingDetail>(row)]));
}
