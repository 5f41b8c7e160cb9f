import { assetKey } from '#shared/assets/asset/asset.ts';
import { learnKnownAssets } from '#shared/assets/asset/known-assets.ts';
import { branchFindings } from '#shared/findings/branches/branch-finding.ts';
import { findings, type StoredFinding } from '#shared/findings/finding/finding.ts';
import { listedAssetName } from '#shared/findings/finding/reported.ts';
import { learnTraits } from '#shared/findings/sla/sla-policies.ts';
import { findSeen, type ScanState, type SeenRecord } from '#shared/findings/view/scan-state.ts';
import type { FindingDetail, FindingRow } from '#shared/findings/view/view.ts';
import { ordinalOf } from '#shared/platform/runtime/ids.ts';
import { rowsOfOrdinals } from '#shared/platform/table/io/dense.ts';
import { keysOf } from '#shared/platform/table/layout/keys.ts';
import { listItemOf } from '#shared/platform/table/layout/record.ts';
import { idsOf } from '#shared/platform/table/unique-ids.ts';
import { fingerprintsOf, type Line, problemsOf } from './entry.ts';
import type { Accepted, KnownEntry, LookedUp, Read } from './phases.ts';
import { loadChunk } from './read-report.ts';
import type { KnownFinding } from './remembered.ts';
import { withFindings } from './unchanged.ts';

/** A report names a finding once, so that a chunk may be looked up while the one before it is applied. */
export async function lookUpChunk(read: Read, chunk: number, consistent: boolean): Promise<LookedUp> {
  const entries = await loadChunk(read, chunk);
  return { entries, known: await lookUp(read, { entries, consistent }) };
}

type Looking = Accepted & Pick<Read, 'carried'>;
type Lookup = { entries: readonly Line[]; consistent: boolean };

/**
 * Finds the known findings of the entries: in the scope's state, else by the fingerprints that other scopes wrote. An entry of a
 * branch is looked up on its base first.
 * @param consistent after a conflict or a restart, when a write that is a moment old matters
 */
export async function lookUp(accepted: Looking, wanted: Lookup): Promise<KnownEntry[]> {
  return withFindings(accepted, await knownOf(accepted, wanted));
}

/** The same, without the findings of entries that prove changed. */
export async function knownOf(accepted: Looking, { entries, consistent }: Lookup): Promise<KnownEntry[]> {
  const isBranch = accepted.entity !== findings;
  const base = isBranch ? await baseOf(accepted, { entries, consistent }) : new Map<Line, FindingRow>();
  const left = entries.filter((entry) => !base.has(entry));
  const own = await currentOf(accepted, { entries: left, consistent });
  const known = entries.map((entry) => ({ entry, base: base.get(entry), ...NOT_KNOWN, ...own.get(entry) }));
  return onceEach(isBranch ? known : await withMerges(accepted, known, consistent));
}

/** Of several entries that say the same finding, as after a merge of assets, the first changes it; the others count as known. */
function onceEach(known: readonly KnownEntry[]): KnownEntry[] {
  const taken = new Set<string>();
  return known.map((one) => {
    const found = one.current ?? one.merged;
    if (!found) return one;
    if (taken.has(found.id)) return { entry: one.entry, ...NOT_KNOWN, base: found };
    taken.add(found.id);
    return one;
  });
}

type Current = Pick<KnownEntry, 'seen' | 'current' | 'isRenamed'>;
const NOT_KNOWN: Current = { seen: undefined, current: undefined };

async function currentOf(accepted: Looking, { entries, consistent }: Lookup): Promise<Map<Line, Current>> {
  const { state } = accepted.earlier;
  const seen = new Map(entries.map((entry) => [entry, seenBefore(state, entry)]));
  const rowsFor = async (some: readonly Line[], idOf: (entry: Line) => string | undefined) => {
    // consistently: the next scan takes these rows for those of the present end of the change feed
    const rows = await rowsOf(
      accepted,
      some.flatMap((entry) => idOf(entry) ?? []),
    );
    return new Map(some.map((entry) => [entry, rows.get(idOf(entry) ?? '')]));
  };
  const strangers = entries.filter((entry) => !seen.get(entry));
  // the row of a finding that exists nevertheless refuses the new finding; the next attempt reads consistently
  const named = consistent ? strangers : await onFormerAssets(accepted, strangers);
  const ids = await idsByFingerprint(accepted, { entries: named, consistent });
  const carriedOver = ({ fingerprint }: Line) => accepted.carried?.get(fingerprint);
  const found: Map<Line, KnownFinding | undefined> = await unchangedOf(accepted, seen);
  const read = entries.filter((entry) => !found.has(entry));
  const current = await rowsFor(read, (entry) => seen.get(entry)?.id ?? ids.get(entry) ?? carriedOver(entry));
  for (const [entry, row] of current) found.set(entry, row);
  // a finding that was deleted since, or that is on another asset since assets were merged or parted
  const lost = entries.filter((entry) => seen.get(entry) && !isOnAsset(found.get(entry), entry));
  const others = await idsByFingerprint(accepted, { entries: lost, consistent });
  for (const [entry, row] of await rowsFor(lost, (entry) => others.get(entry))) found.set(entry, row);
  return new Map(
    entries.map((entry) => {
      const [current, last] = [found.get(entry), seen.get(entry)];
      const isRenamed = current !== undefined && current.id === carriedOver(entry);
      return [entry, { seen: last?.id === current?.id ? last : undefined, current, ...(isRenamed && { isRenamed }) }];
    }),
  );
}

/** The last sighting of an entry by the scope, under any name of its asset. */
const seenBefore = (state: ScanState, entry: Line): SeenRecord | undefined =>
  fingerprintsOf(entry).flatMap((fingerprint) => findSeen(state, fingerprint) ?? [])[0];

/** The findings whose rows are as the last scan of the scope left them, on the assets of their entries. */
async function unchangedOf(
  accepted: Accepted,
  seen: ReadonlyMap<Line, SeenRecord | undefined>,
): Promise<Map<Line, KnownFinding>> {
  const [remembered, changed] = await Promise.all([accepted.earlier.remembered(), accepted.earlier.changed()]);
  const newer = await changed.versions();
  const kept = [...seen].flatMap(([entry, last]) => {
    const finding = remembered.find(entry.fingerprint);
    return finding && finding.id === last?.id ? [[entry, finding] as const] : [];
  });
  if (newer) return new Map(kept.filter(([, { id, version }]) => (newer.get(id) ?? 0) <= version));
  const versions = await versionsOf(
    accepted,
    kept.map(([, { id }]) => id),
  );
  return new Map(kept.filter(([, { id, version }]) => versions.get(id) === version));
}

/** Whether the finding is on the asset that the entry names. */
export const isOnAsset = (found: KnownFinding | undefined, { asset: { type, value, zone } }: Line): boolean => {
  if (!found?.asset) return found !== undefined;
  return found.asset.type === type && found.asset.zone === zone && found.asset.name === listedAssetName(value);
};

/** Without the entries on assets that this import makes: no earlier report can have named these. */
async function onFormerAssets(
  { table, taskId, learned: { assets, sla } }: Accepted,
  entries: readonly Line[],
): Promise<Line[]> {
  const keys = entries.map(({ asset }) => assetKey(asset));
  await learnKnownAssets(table, assets, keys);
  const idOf = (key: string | undefined) => (key === undefined ? undefined : assets.get(key)?.id);
  const current = [...new Set(keys)].flatMap((key) => idOf(key) ?? []);
  await learnTraits(
    table,
    sla,
    current.map((id) => ({ asset: { id } })),
  );
  return entries.filter((_, n) => {
    const id = idOf(keys[n]);
    return id !== undefined && sla.assets.get(id)?.importId !== taskId;
  });
}

/** The ids of the findings that have a fingerprint of an entry: of the first fingerprint that is known. */
async function idsByFingerprint(
  { table, entity }: Accepted,
  { entries, consistent }: Lookup,
): Promise<Map<Line, string>> {
  const values = entries.flatMap(fingerprintsOf);
  const ids = await idsOf(table, entity, { field: 'fingerprint', values, consistent });
  return new Map(
    entries.flatMap((entry) => {
      const id = fingerprintsOf(entry).flatMap((fingerprint) => ids.get(fingerprint) ?? [])[0];
      return id === undefined ? [] : [[entry, id] as const];
    }),
  );
}

/** Adds the findings that have an earlier name of the default branch, and the findings of branches that were merged. */
async function withMerges(accepted: Accepted, known: KnownEntry[], consistent: boolean): Promise<KnownEntry[]> {
  const strangers = known.flatMap(({ current, entry }) => (current ? [] : entry));
  const former = await onDefault(accepted, { entries: strangers, consistent });
  return known.map((one) => {
    if (one.current) return one;
    const current = former.get(one.entry);
    return current ? { ...one, current, isRenamed: true } : { ...one, merged: mergingWith(accepted, one.entry) };
  });
}

const mergingWith = ({ earlier }: Accepted, entry: Line): FindingRow | undefined =>
  problemsOf(entry).flatMap((one) => earlier.merging.get(one) ?? [])[0];

/** The findings that are not fixed on the default branch, or on the branch with which the report is compared. */
async function baseOf(accepted: Accepted, { entries, consistent }: Lookup): Promise<Map<Line, FindingRow>> {
  const found = await onDefault(accepted, { entries, consistent });
  const isThere = (row: FindingRow | undefined) => row !== undefined && row.status !== 'fixed';
  const left = entries.filter((entry) => !isThere(found.get(entry)) && entry.base !== undefined);
  const ids = await idsOf(accepted.table, branchFindings, {
    field: 'fingerprint',
    values: left.flatMap(({ base }) => base ?? []),
    consistent,
  });
  const rows = await rowsOf({ table: accepted.table, entity: branchFindings }, [...ids.values()], consistent);
  for (const entry of left) {
    const row = rows.get(ids.get(entry.base ?? '') ?? '');
    if (row) found.set(entry, row);
  }
  return new Map([...found].filter(([, row]) => isThere(row)));
}

/** The findings of the default branch that have one of the other fingerprints of an entry. */
async function onDefault(
  { table, earlier }: Accepted,
  { entries, consistent }: Lookup,
): Promise<Map<Line, FindingRow>> {
  const fingerprints = entries.flatMap((entry) => entry.others ?? []);
  if (fingerprints.length === 0) return new Map();
  const seen = new Map(
    fingerprints.flatMap((fingerprint) => {
      const id = earlier.others.flatMap((state) => findSeen(state, fingerprint)?.id ?? [])[0];
      return id === undefined ? [] : [[fingerprint, id] as const];
    }),
  );
  const strangers = fingerprints.filter((fingerprint) => !seen.has(fingerprint));
  const ids = await idsOf(table, findings, { field: 'fingerprint', values: strangers, consistent });
  const idOf = (fingerprint: string) => seen.get(fingerprint) ?? ids.get(fingerprint) ?? '';
  const rows = await rowsOf({ table, entity: findings }, [...seen.values(), ...ids.values()], consistent);
  return new Map(
    entries.flatMap((entry) => {
      const row = (entry.others ?? []).flatMap((fingerprint) => rows.get(idOf(fingerprint)) ?? [])[0];
      return row ? [[entry, row] as const] : [];
    }),
  );
}

export type Place = Pick<Accepted, 'table' | 'entity'>;

/** The list rows of findings. The rows of one import are neighbours, so that a report that comes again reads ranges. */
export async function rowsOf(
  { table, entity }: Place,
  ids: readonly string[],
  consistent = true,
): Promise<Map<string, FindingRow>> {
  const { record } = keysOf(table.tenant, entity);
  const rows = await rowsOfOrdinals(table.dynamo, record, { ordinals: [...new Set(ids)].map(ordinalOf), consistent });
  return new Map(rows.map((row) => [String(row.id), listItemOf<StoredFinding, FindingDetail>(row)]));
}

/** The versions of findings by their ids: the same version has the same content. */
async function versionsOf({ table, entity }: Place, ids: readonly string[]): Promise<Map<string, number>> {
  const { record } = keysOf(table.tenant, entity);
  const wanted = { ordinals: ids.map(ordinalOf), consistent: true, only: ['sk', 'id', 'version'] };
  const rows = await rowsOfOrdinals(table.dynamo, record, wanted);
  return new Map(rows.map(({ id, version }) => [String(id), Number(version)]));
}
