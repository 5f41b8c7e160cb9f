import type { Entry } from '#functions/workers/ingest/entry.ts';
import { findings, type StoredFinding } from '#shared/entities/finding.ts';
import { findSeen, type ScanState, type SeenRecord } from '#shared/findings/scan-state.ts';
import type { FindingDetail, FindingRow } from '#shared/findings/view.ts';
import { ordinalOf } from '#shared/runtime/ids.ts';
import type { Entity } from '#shared/table/entity.ts';
import { getRows } from '#shared/table/io/read.ts';
import { keysOf } from '#shared/table/layout/keys.ts';
import { listItemOf } from '#shared/table/layout/record.ts';
import type { Table } from '#shared/table/table.ts';

/** An entry with its last sighting and its finding, if known. */
export type KnownEntry = { entry: Entry; seen: SeenRecord | undefined; standing: FindingRow | undefined };

/**
 * Finds the known findings of the entries: in the scope's state, else by the fingerprints that other scopes wrote.
 * @param consistent after a conflict or a restart, when a write that is a moment old matters
 */
export async function lookUp(
  table: Table,
  state: ScanState,
  { entries, consistent }: { entries: readonly Entry[]; consistent: boolean },
): Promise<KnownEntry[]> {
  const seen = entries.map(({ fingerprint }) => findSeen(state, fingerprint));
  const strangers = entries.filter((_, n) => !seen[n]).map(({ fingerprint }) => fingerprint);
  const ids = await idsOf(table, findings, { field: 'fingerprint', values: strangers, consistent });
  const idOf = (n: number) => seen[n]?.id ?? ids.get(entries[n]?.fingerprint ?? '');
  const wanted = entries.flatMap((_, n) => idOf(n) ?? []);
  const rows = await rowsOf(table, wanted, consistent);
  return entries.map((entry, n) => {
    const standing = rows.get(idOf(n) ?? '');
    // sightings of a finding that was deleted since are not those of the one that is made now
    return { entry, seen: standing && seen[n], standing };
  });
}

/** The ids behind unique values, 100 a call. */
export async function idsOf(
  table: Table,
  entity: Pick<Entity, 'name' | 'shards'>,
  { field, values, consistent }: { field: string; values: readonly string[]; consistent: boolean },
): Promise<Map<string, string>> {
  const keys = keysOf(table.scope, entity);
  const byKey = new Map(values.map((value) => [keys.unique(field, value).pk, value]));
  const rows = await getRows(
    table.dynamo,
    values.map((value) => keys.unique(field, value)),
    consistent,
  );
  return new Map(rows.map(({ pk, id }) => [byKey.get(pk) ?? '', String(id)]));
}

const keysFor = (table: Table, ids: readonly string[]) => {
  const keys = keysOf(table.scope, findings);
  return ids.map((id) => keys.record(ordinalOf(id)));
};

/** The list rows of these findings. */
export async function rowsOf(
  table: Table,
  ids: readonly string[],
  consistent = true,
): Promise<Map<string, FindingRow>> {
  const rows = await getRows(table.dynamo, keysFor(table, ids), consistent);
  return new Map(rows.map((row) => [String(row.id), listItemOf<StoredFinding, FindingDetail>(row)]));
}
