import { groupOf } from '#shared/findings/bulk/queue.ts';
import type { ScopeRow } from '#shared/findings/view/scan-scope.ts';
import { packState } from '#shared/findings/view/scan-state.ts';
import { keepState, replacedState } from '#shared/findings/view/scope-state.ts';
import { INGEST_OPERATION } from '#shared/ingest/accept.ts';
import type { ImportedReport } from '#shared/ingest/imported-report.ts';
import { taskFiles } from '#shared/ingest/submission.ts';
import { sendTask } from '#shared/platform/jobs/task.ts';
import { TaskFailure, type Work } from '#shared/platform/jobs/worker.ts';
import { othersHold } from '#shared/platform/quotas/places.ts';
import { nowMs } from '#shared/platform/runtime/clock.ts';
import { ApiError } from '#shared/platform/runtime/errors.ts';
import { isConflict, retry } from '#shared/platform/runtime/retry.ts';
import type { Batch } from '#shared/platform/table/batch.ts';
import { changesIn } from '#shared/scanning/engagements/finding-changes.ts';
import { acquireScope } from './acquire-scope.ts';
import { applyChunk, type ReadChunk, readChunk } from './apply.ts';
import { noteScan } from './branch-scan.ts';
import { closeMissing } from './close.ts';
import { compare } from './compare.ts';
import { closeHeld } from './confirm-closing.ts';
import { endTask } from './finish.ts';
import { keepInventory } from './inventory/keep-inventory.ts';
import { secondOf } from './lanes.ts';
import { noteLooks } from './last-scans.ts';
import { makeBranch } from './make-branch.ts';
import type { Manifest } from './manifest.ts';
import { recentScanWrite } from './newer.ts';
import { chunkKeys, loadManifest } from './parse.ts';
import { changeImport, recordImport, recordLost } from './record-import.ts';
import { removeReport, sentReport } from './sent-report.ts';
import { Input, openSession, progressOf, type Session, saveCheckpoint } from './session.ts';

/**
 * After this the worker lets the organization's other imports go first, and goes on with a message of its own: a CI job's
 * small report waits for one slice of each large one before it.
 */
const SLICE_MS = 3_000;

/** The same while no other import waits, because a slice takes a third of a second to begin. Bulk changes wait for so long at most. */
const LONE_SLICE_MS = 12_000;

/** One message of the ingest: as much of a report as a slice has time for. The task is ended here, with its scope. */
export async function runIngest(work: Work): Promise<undefined> {
  const { scope: id, confirms } = Input.parse(work.task.input);
  const scope = await acquireScope(work, id);
  if (!scope) return;
  const session = await openOrEnd(work, scope);
  if (!session) return;
  try {
    if (confirms) await closeHeld(session, confirms);
    else if (!(await workSlice(session))) await continueLater(session);
  } catch (error) {
    // A conflict that stays is not the report's fault: the message comes again.
    if (isConflict(error)) throw new Error(`ingest of task ${work.task.id} stopped`, { cause: error });
    if (!(error instanceof TaskFailure || error instanceof ApiError)) throw error;
    const { code, message } = error;
    const also = (batch: Batch) => recordFailure(batch, session, { code, message });
    await endTask(session, id, { task: { status: 'failed', error: { code, message } }, also });
    await removeReport(session);
  }
}

/** @returns undefined where the task has ended, because a file is missing that it needs */
async function openOrEnd(work: Work, scope: ScopeRow): Promise<Session | undefined> {
  try {
    return await openSession(work, scope);
  } catch (error) {
    if (!(error instanceof TaskFailure)) throw error;
    const { code, message } = error;
    const failed = { status: 'failed' as const, error: { code, message } };
    const isImport = work.task.operation === INGEST_OPERATION;
    const also = async (batch: Batch) =>
      isImport ? recordLost(batch, { ...work, task: { ...work.task, ...failed } }) : undefined;
    await endTask(work, scope.id, { task: failed, also });
    return undefined;
  }
}

/** A confirmed closing that fails leaves the import as it was. */
const recordFailure = async (batch: Batch, session: Session, error: ImportedReport['error']): Promise<void> =>
  session.task.operation === INGEST_OPERATION ? recordImport(batch, session, { status: 'failed', error }) : undefined;

/** @returns false when the slice's time is up before the report is applied */
async function workSlice(session: Session): Promise<boolean> {
  const manifest = await loadManifest(session);
  await makeBranch(session, manifest);
  const index = indexBehind(session);
  if (session.checkpoint.slice > 0) await index.follow(); // with the last chunk of the slice before
  const first = session.checkpoint.chunk; // each message applies a chunk, however long the reading took
  const end = Math.max(1, manifest.chunks);
  let ahead: Promise<ReadChunk> | undefined;
  for (let chunk = first; chunk < end; chunk++) {
    const isBegun = session.checkpoint.line > 0 || secondOf(session) !== undefined; // then some of its findings were just written
    const read = await (ahead ?? readChunk(session, chunk, isBegun));
    const isOver = await isSliceOver(session);
    ahead = isOver || chunk + 1 === end ? undefined : readChunk(session, chunk + 1, false);
    ahead?.catch(() => undefined); // the round that waits for it gets the error
    await applyChunk(session, read);
    if (isOver && chunk + 1 < end) return index.settled().then(() => false);
    await index.follow();
  }
  // also after a crash that left a chunk applied and not yet findable
  await index.end();
  if (!(await keepInventory(session, () => isSliceOver(session)))) return false;
  await noteLooks(session, manifest);
  await finish(session, manifest);
  return true;
}

async function isSliceOver(session: Session): Promise<boolean> {
  const worked = nowMs() - session.startedMs;
  if (worked <= SLICE_MS || worked > LONE_SLICE_MS) return worked > SLICE_MS;
  return othersHold(session.table, { kind: 'imports', id: session.task.id });
}

/**
 * Brings a chunk into the index while the next one is applied, also in the next slice: search follows the records by two
 * chunks at most.
 */
function indexBehind({ table, entity }: Session) {
  let last: Promise<void> = Promise.resolve();
  return {
    async follow(): Promise<void> {
      await last;
      last = table.workJournal(entity);
      last.catch(() => undefined); // the caller that waits for it next gets the error
    },
    settled: () => last,
    async end(): Promise<void> {
      await last;
      await table.workJournal(entity);
    },
  };
}

async function finish(session: Session, manifest: Manifest): Promise<void> {
  const { connections, files, scopeRow, scope } = session;
  const { state, held, proof, missing } = await retry(() => closeMissing(session, manifest), isConflict);
  const heldCount = held?.records.length ?? 0;
  const proves = held ? undefined : proof;
  if (held && heldCount > 0) await connections.bucket.put(files.held, packState(held.records));
  if (proof) await connections.bucket.put(files.proof, JSON.stringify(proof));
  const stateKey = await keepState(session, scope, state);
  const compared = await compare(session, manifest, proves);
  await connections.bucket.put(files.compared, JSON.stringify(compared));
  const { rejected, rejectedCount } = manifest;
  const result = {
    ...session.checkpoint.counts,
    comparison: compared.comparison,
    rejected,
    rejectedCount,
    bySeverity: changesIn(session.checkpoint.severities),
    ...(held && heldCount > 0 && { held: { count: heldCount, open: held.open } }),
  };
  const progress = progressOf(session, session.checkpoint);
  // this report decides anew on the findings whose closing an earlier one held back
  const decides = proves !== undefined || heldCount > 0;
  const heldBy = heldCount > 0 ? session.task.id : decides ? null : undefined;
  const settled = decides && scopeRow.heldBy !== session.task.id ? scopeRow.heldBy : undefined;
  const writes = [recentScanWrite(session, proves !== undefined)];
  const lastScan = { taskId: session.task.id, tool: manifest.toolNames?.[0] ?? null, ...(missing && { missing }) };
  const scanned = { stateKey, at: session.at, lastScan, writes, heldBy };
  const also = async (batch: Batch) => {
    await noteScan(batch, session);
    await recordImport(batch, session, { status: 'succeeded', held: heldCount > 0 ? { count: heldCount } : null });
    if (settled) await changeImport({ batch, table: session.table }, settled, () => ({ held: null }));
  };
  await endTask(session, scope, { task: { status: 'succeeded', result, progress }, scanned, also });
  await removeFiles(session, manifest, { stateKey, settled });
}

type Replaced = { stateKey: string; settled: string | undefined };

/** The files that nobody reads after the import, and the report itself if it quotes secrets. */
async function removeFiles(session: Session, manifest: Manifest, { stateKey, settled }: Replaced): Promise<void> {
  const { connections, files, scopeRow, table, submission } = session;
  const parts = Array.from({ length: Math.max(1, manifest.chunks) }, (_, n) => [files.seen(n), files.tally(n)]).flat();
  const old = replacedState(scopeRow, stateKey);
  const moot = settled ? [taskFiles(table.organizationId, settled).held] : [];
  const sent = manifest.secrets ? [sentReport(submission)] : [];
  const all = [...chunkKeys(session, manifest), files.inventory, ...parts, ...old, ...moot, ...sent];
  await connections.bucket.remove(all);
}

async function continueLater(session: Session): Promise<void> {
  const { table, connections, task } = session;
  const slice = session.checkpoint.slice + 1;
  await saveCheckpoint(session, { ...session.checkpoint, slice });
  await sendTask(connections, table, task, {
    group: groupOf(table),
    deduplicationId: `${task.id}-${slice}`,
  });
}
