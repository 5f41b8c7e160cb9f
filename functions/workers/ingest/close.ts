import { closingChanges } from '#functions/workers/ingest/changes.ts';
import { provenGone } from '#functions/workers/ingest/coverage.ts';
import { findings, type StoredFinding } from '#shared/entities/finding.ts';
import { isOpen } from '#shared/entities/finding-status.ts';
import { historyWrite } from '#shared/findings/history.ts';
import { scopeRows } from '#shared/findings/scan-scope.ts';
import { allSeen, type SeenRecord, unpackState } from '#shared/findings/scan-state.ts';
import type { FindingDetail, FindingRow } from '#shared/findings/view.ts';
import { formatOf } from '#shared/reports/formats.ts';
import { inSeconds } from '#shared/runtime/clock.ts';
import type { Table } from '#shared/table/table.ts';
import { rowsOf } from './lookup.ts';
import type { Manifest } from './manifest.ts';
import { type Checkpoint, checkpointWrite, type Session } from './session.ts';
import { wholeScan } from './siblings.ts';

/** A closing of at least this many findings, and more than half of the scope's open ones, asks for confirmation. */
const HELD_FROM = 20;
const HELD_SHARE = 0.5;

/** A finding of a scope that was not scanned for so long may be closed by another scope that has seen it too. */
const IDLE_SECONDS = 30 * 86_400;

export type MissingRecord = { seen: SeenRecord; standing: FindingRow };

/** The scope's state after the report, and the findings whose closing is held back. */
type Outcome = { state: SeenRecord[]; held: SeenRecord[] };

/** Closes the findings that earlier scans of the scope saw and that this scan proves gone. */
export async function closeMissing(session: Session, manifest: Manifest): Promise<Outcome> {
  const seen = await seenNow(session, manifest);
  const known = new Set(seen.map(({ fingerprint }) => fingerprint));
  const missing = [...allSeen(session.state)].filter(({ fingerprint }) => !known.has(fingerprint));
  const scan = await wholeScan(session, manifest);
  const proves =
    scan && provenGone({ scan: session.submission, format: formatOf(session.submission.format) }, scan.facts);
  if (!proves || missing.length === 0) return { state: [...seen, ...missing], held: [] };
  const { tools } = scan.facts;
  const isMine = ({ tool, seenAt }: SeenRecord) => tools.includes(tool) && seenAt < scan.since;
  const mine = missing.filter(isMine);
  const rows = await rowsOf(
    session.table,
    mine.map(({ id }) => id),
  );
  const open = mine.flatMap((record) => {
    const standing = rows.get(record.id);
    return standing && isOpen(standing.status) ? [{ seen: record, standing }] : [];
  });
  const closable = await ownedBy(
    session,
    open.filter(({ standing }) => proves(standing)),
  );
  if (!session.checkpoint.closing && isTooMuch(closable.length, session.checkpoint.openBefore + open.length))
    return { state: [...seen, ...missing], held: closable.map((one) => one.seen) };
  await closeAll(session, closable, { taskId: session.task.id, at: session.at });
  const closed = new Set(closable.map(({ standing }) => standing.id));
  const isGone = (record: SeenRecord) =>
    closed.has(record.id) ||
    (isMine(record) && (rows.get(record.id)?.fixedByTaskId !== undefined || !rows.has(record.id)));
  return { state: [...seen, ...missing.filter((record) => !isGone(record))], held: [] };
}

const isTooMuch = (count: number, open: number): boolean => count >= HELD_FROM && count > open * HELD_SHARE;

async function seenNow({ connections, files }: Session, { chunks }: Manifest): Promise<SeenRecord[]> {
  const seen: SeenRecord[] = [];
  for (let n = 0; n < Math.max(1, chunks); n++)
    seen.push(...allSeen(unpackState(await connections.bucket.get(files.seen(n)))));
  return seen;
}

/** Only a scope's own scans close its findings, unless it is not scanned any more. */
async function ownedBy({ table, scope }: Session, open: readonly MissingRecord[]): Promise<MissingRecord[]> {
  const others = [...new Set(open.map(({ standing }) => standing.scope))].filter((id) => id !== scope);
  const rows = await table.rows(scopeRows).findMany(others.map((id) => ({ id })));
  const idle = rows.filter(({ lastScanAt = '' }) => lastScanAt < inSeconds(-IDLE_SECONDS)).map(({ id }) => id);
  return open.filter(({ standing }) => standing.scope === scope || idle.includes(standing.scope));
}

type ClosingScan = { taskId: string; at: string };

/** The checkpoint that goes with each batch. */
const SPARE = 1;

/** @param proof the scan that the findings name as the one that closed them */
export async function closeAll(session: Session, missing: readonly MissingRecord[], proof: ClosingScan): Promise<void> {
  for (let left = missing; left.length > 0; ) {
    const batch = session.table.batch(true);
    const room = left.findIndex(
      (one) => !batch.takes((batch) => closeFinding(session.table, batch, { ...one, proof }), SPARE),
    );
    const closed = room < 0 ? left.length : room;
    if (closed === 0) throw new Error('closing one finding needs more rows than a transaction has');
    const { counts } = session.checkpoint;
    const next: Checkpoint = {
      ...session.checkpoint,
      closing: true,
      counts: { ...counts, closed: counts.closed + closed },
    };
    const { write, moved } = checkpointWrite(session, next);
    batch.write(write);
    await batch.commit();
    moved();
    left = left.slice(closed);
  }
  await session.table.workJournal(findings);
}

function closeFinding(
  table: Table,
  batch: ReturnType<Table['batch']>,
  { seen, standing, proof }: MissingRecord & { proof: ClosingScan },
): void {
  const changes = closingChanges(standing, { ...proof, seen });
  const next = batch.update<StoredFinding, FindingDetail>(
    findings,
    standing,
    table.changed<StoredFinding, FindingDetail>(standing, changes),
  );
  const moved = { status: { from: standing.status, to: next.status } };
  const { id: findingId, version, statusReason: reason } = next;
  const change = { findingId, version, at: proof.at, by: table.actor, changes: moved, reason };
  batch.write(historyWrite(table, { ...change, scanTaskId: proof.taskId }));
}
