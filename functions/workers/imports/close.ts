import { assets } from '#shared/assets/asset/asset.ts';
import { type ClosingScan, notMissing, whatKeepsOpen } from '#shared/findings/closing/keeps-open.ts';
import { asksForConfirmation, IDLE_SECONDS } from '#shared/findings/closing/limits.ts';
import type { StoredFinding } from '#shared/findings/finding/finding.ts';
import { listedAssetName } from '#shared/findings/finding/reported.ts';
import { retiredFindings } from '#shared/findings/finding/retired-finding.ts';
import { historyWrite } from '#shared/findings/triage/history.ts';
import { scopeRows } from '#shared/findings/view/scan-scope.ts';
import {
  allSeen,
  packState,
  type ScanState,
  type SeenRecord,
  seenWhere,
  stateAfter,
  unpackState,
  withoutSeen,
} from '#shared/findings/view/scan-state.ts';
import type { FindingDetail, FindingRow } from '#shared/findings/view/view.ts';
import { closingScanOf, type KeptProof } from '#shared/ingest/kept-proof.ts';
import { eachAtOnce } from '#shared/platform/runtime/chunks.ts';
import { inSeconds } from '#shared/platform/runtime/clock.ts';
import { isConflict, retry } from '#shared/platform/runtime/retry.ts';
import type { Batch } from '#shared/platform/table/batch.ts';
import { batchOfMany } from '#shared/platform/table/many.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { apartBy } from './apart.ts';
import { closingChanges, lateSighting } from './changes.ts';
import { followMerges } from './follow-merges.ts';
import { rowsOf } from './lookup.ts';
import { missingUnderOldNames } from './missing-under-old-names.ts';
import { newerScans, unseenBy } from './newer.ts';
import type { Accepted, Applied, Closed } from './phases.ts';
import { CHECKPOINT_ROWS, type Checkpoint, commitTo, oneMore } from './progress.ts';
import { type MissingRecord, proofOf } from './proof.ts';
import { type Noted, noteChanges, noted } from './undo-log.ts';

/** The part of `Closed` that this step adds. */
type Outcome = Omit<Closed, keyof Applied>;

/** Closes what is missing, and keeps for later what is held back and what the scan proves. */
export async function closeMissing(applied: Applied): Promise<Closed> {
  const { connections, files } = applied;
  const outcome = await retry(() => closeProvenGone(applied), isConflict);
  const { held, proof } = outcome;
  if (held && held.records.length > 0) await connections.bucket.put(files.held, packState(held.records));
  if (proof) await connections.bucket.put(files.proof, JSON.stringify(proof));
  return { ...applied, ...outcome };
}

/**
 * Closes the findings that earlier scans of the scope saw and that this scan proves gone, and those of this scan that a
 * newer scan proves gone: it came in later and was worked before.
 */
async function closeProvenGone(applied: Applied): Promise<Outcome> {
  const [state, { proof, missing: nothing, gaps }, newer] = await Promise.all([
    stateOfScope(applied),
    proofOf(applied),
    newerScans(applied),
  ]);
  const proofs = [proof ?? [], newer.proofs].flat();
  const candidates = (await Promise.all(proofs.map((one) => candidatesOf(state, one)))).flat();
  const former = await missingUnderOldNames(applied, proof, state);
  const judged = { held: undefined, proof, missing: nothing, gaps };
  if (candidates.length + former.length === 0) return { ...judged, state };
  const rows = await followMerges(
    applied,
    candidates.map(({ seen }) => seen.id),
  );
  // a finding that became one with another is not missing if that other was seen
  const last = lastSightings(state, rows);
  const isSeen = ({ seen, proof }: Missed) => {
    const id = rows.get(seen.id)?.id ?? seen.id;
    return id !== seen.id && (last.get(id) ?? 0) >= proof.since;
  };
  const missing = candidates.filter((one) => !isSeen(one));
  const open = await openOnes(applied.table, missing, rows);
  const closable = await unseenBy(applied, newer.others, await ownedBy(applied, open));
  const openBefore = applied.openBefore + open.length;
  if (!applied.progress.checkpoint.closing && asksForConfirmation(closable.length, openBefore)) {
    const records = closable.flatMap((one) => (one.proof.taskId === applied.taskId ? [one.seen] : []));
    return { state, held: { records, open: openBefore }, proof, missing: 'held', gaps };
  }
  const isApart = apartBy(applied, state);
  const [apart, others] = [closable.filter(isApart), closable.filter((one) => !isApart(one))];
  await closeAll(applied, [...others, ...former]);
  await countLate(applied, candidates, rows);
  const gone = await goneRecords(applied, { closable: others, candidates, rows, last });
  const left = withoutSeen(
    state,
    [...gone].map(({ fingerprint }) => fingerprint),
  );
  if (apart.length === 0) return { ...judged, state: left };
  const held = { records: apart.map(({ seen }) => seen), open: openBefore, apart: true as const };
  return { state: left, held, proof, missing: 'held', gaps };
}

type Looked = {
  closable: readonly MissingRecord[];
  candidates: readonly Missed[];
  rows: ReadonlyMap<string, FindingRow>;
  last: ReadonlyMap<string, number>;
};

/** The records that the state no longer needs: of what is closed, deleted, or one with another that the state has. */
async function goneRecords(applied: Applied, { closable, candidates, rows, last }: Looked): Promise<Set<SeenRecord>> {
  const gone = new Set(closable.map(({ seen }) => seen));
  const aside = await retiredAmong(applied.table, candidates, rows);
  for (const { seen } of candidates) {
    const row = rows.get(seen.id);
    if (aside.has(seen.id)) continue;
    if (!row || row.fixedByTaskId !== undefined || (row.id !== seen.id && last.has(row.id))) gone.add(seen);
  }
  return gone;
}

/** Findings of retired assets, whose scans may go on where they stopped. */
async function retiredAmong(table: Table, missed: readonly Missed[], rows: ReadonlyMap<string, FindingRow>) {
  const lost = missed.flatMap(({ seen }) => (rows.has(seen.id) ? [] : seen.id));
  const found = await rowsOf({ table, entity: retiredFindings }, lost);
  return new Set(found.keys());
}

type Missed = Omit<MissingRecord, 'current'> & { scan: ClosingScan };

/** The records that a scan looked for and that were seen last before it. */
async function candidatesOf(state: ScanState, proof: KeptProof): Promise<Missed[]> {
  const scan = await closingScanOf(proof);
  return seenWhere(state, (seen) => notMissing(scan, seen) === undefined).map((seen) => ({ seen, proof, scan }));
}

/** When the findings were last seen that others became one with. */
function lastSightings(state: ScanState, rows: ReadonlyMap<string, FindingRow>): Map<string, number> {
  const others = new Set([...rows].flatMap(([id, row]) => (row.id === id ? [] : row.id)));
  const last = new Map<string, number>();
  if (others.size === 0) return last;
  for (const { id, seenAt } of allSeen(state)) if (others.has(id)) last.set(id, Math.max(seenAt, last.get(id) ?? 0));
  return last;
}

/** The findings that nothing but their scope keeps open, each for the first scan that proves it gone. */
async function openOnes(
  table: Table,
  candidates: readonly Missed[],
  rows: ReadonlyMap<string, FindingRow>,
): Promise<MissingRecord[]> {
  const judges = new Map([...new Set(candidates.map(({ scan }) => scan))].map((scan) => [scan, whatKeepsOpen(scan)]));
  const keptOpenBy = ({ scan, seen }: Missed, current: FindingRow, aliases: readonly string[] = []) =>
    judges.get(scan)?.({ ...current, asset: { ...current.asset, aliases }, seen, isOfScope: true });
  const known = candidates.flatMap((one) => {
    const current = rows.get(one.seen.id);
    return current ? [{ ...one, current, code: keptOpenBy(one, current) }] : [];
  });
  // another name of its asset may have been reached
  const aliases = await aliasesOf(
    table,
    known.filter(({ code }) => code === 'not_reached'),
  );
  const found = new Map<string, MissingRecord>();
  for (const { code, ...one } of known) {
    const { seen, current, proof } = one;
    const left = code === 'not_reached' ? keptOpenBy(one, current, aliases.get(current.asset.id)) : code;
    if (left === undefined && !found.has(current.id)) found.set(current.id, { seen, current, proof });
  }
  return [...found.values()];
}

/** All names of the assets of findings, as findings list them: a finding may show a former one. */
async function aliasesOf(
  table: Table,
  missing: readonly Pick<MissingRecord, 'current'>[],
): Promise<Map<string, string[]>> {
  const ids = [...new Set(missing.map(({ current }) => current.asset.id))];
  const found = await table.findMany(assets, ids);
  return new Map(
    found.map(({ id, value, aliases = [] }) => [
      id,
      [value, ...aliases.map((alias) => alias.value)].map(listedAssetName),
    ]),
  );
}

/** The scope's state after this report: its sightings, beside those that other reports left meanwhile. */
async function stateOfScope({ connections, files, earlier, manifest: { chunks } }: Applied): Promise<ScanState> {
  const keys = Array.from({ length: Math.max(1, chunks) }, (_, n) => files.seen(n));
  const seen = await eachAtOnce(keys, READS_AT_ONCE, async (key) => unpackState(await connections.bucket.get(key)));
  return stateAfter(seen, earlier.state);
}

const READS_AT_ONCE = 10;

/** Only a scope's own scans close its findings (`not_in_scope`), unless it is not scanned any more. */
async function ownedBy({ table, scope }: Applied, open: readonly MissingRecord[]): Promise<MissingRecord[]> {
  const others = [...new Set(open.map(({ current }) => current.scope))].filter((id) => id !== scope);
  const rows = await table.rows(scopeRows).findMany(others.map((id) => ({ id })));
  const idle = rows.filter(({ lastScanAt = '' }) => lastScanAt < inSeconds(-IDLE_SECONDS)).map(({ id }) => id);
  return open.filter(({ current }) => current.scope === scope || idle.includes(current.scope));
}

/**
 * Counts the report's sightings of findings that a newer report has closed meanwhile: it failed for good after their chunk was
 * applied, and is redriven. A finding has the report's time once its sighting is counted.
 */
async function countLate(
  { table, at, entity }: Applied,
  candidates: readonly Missed[],
  rows: ReadonlyMap<string, FindingRow>,
): Promise<void> {
  const ids = new Set(candidates.flatMap(({ seen }) => (seen.seenAt === Date.parse(at) ? [seen.id] : [])));
  const isUncounted = ({ fixedByTaskId, fixedAt = '', lastSeenAt = '' }: FindingRow) =>
    fixedByTaskId !== undefined && at < fixedAt && lastSeenAt < at;
  const closed = [...ids].flatMap((id) => rows.get(id) ?? []).filter(isUncounted);
  for (let left: readonly FindingRow[] = closed; left.length > 0; ) {
    const part = await batchOfMany(
      () => table.batch(true),
      left,
      (batch, some) => {
        for (const row of some)
          batch.update<StoredFinding, FindingDetail>(
            entity,
            row,
            table.changed<StoredFinding, FindingDetail>(row, lateSighting(row, at)),
          );
      },
    );
    await part.batch.commit();
    left = part.left;
  }
}

export async function closeAll(accepted: Accepted, missing: readonly MissingRecord[]): Promise<void> {
  for (const [taskId, ones] of Map.groupBy(missing, ({ proof }) => proof.taskId))
    await noteChanges({ ...accepted, taskId }, ({ closed }) => closed, ones.map(notedClosing));
  const { table, entity, progress } = accepted;
  for (let left = missing; left.length > 0; ) {
    const batch = table.batch(true);
    const room = left.findIndex((one) => !batch.takes((batch) => closeFinding(accepted, batch, one), CHECKPOINT_ROWS));
    const closed = room < 0 ? left.length : room;
    const severities = left.slice(0, closed).map(({ current }) => current.severity);
    if (closed === 0) throw new Error('closing one finding needs more rows than a transaction has');
    const { counts } = progress.checkpoint;
    const next: Checkpoint = {
      ...progress.checkpoint,
      closing: true,
      counts: { ...counts, closed: counts.closed + closed },
      severities: severities.reduce((all, one) => oneMore(all, 'closed', one), progress.checkpoint.severities),
    };
    await commitTo(accepted, batch, next);
    left = left.slice(closed);
  }
  await table.workJournal(entity);
}

const notedClosing = ({ seen, current, proof }: MissingRecord): Noted => ({
  ...noted(current, closingChanges(current, { ...proof, seen })),
  seen,
});

function closeFinding({ table, entity }: Accepted, batch: Batch, { seen, current, proof }: MissingRecord): void {
  const changes = closingChanges(current, { ...proof, seen });
  const next = batch.update<StoredFinding, FindingDetail>(
    entity,
    current,
    table.changed<StoredFinding, FindingDetail>(current, changes),
  );
  const moved = { status: { from: current.status, to: next.status } };
  const { id: findingId, version, statusReason: reason } = next;
  const change = { findingId, version, at: proof.at, by: table.actor, changes: moved, reason };
  batch.write(historyWrite(table, { ...change, scanTaskId: proof.taskId }));
}
