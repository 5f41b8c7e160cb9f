import { addImportTelling } from '#shared/code/code-scans/telling.ts';
import { keepState, replacedState } from '#shared/findings/view/scope-state.ts';
import { taskFiles } from '#shared/ingest/submission.ts';
import type { Connections } from '#shared/platform/runtime/connections.ts';
import type { Batch } from '#shared/platform/table/batch.ts';
import { reasonOf } from '#shared/reports/report/gap-words.ts';
import { changesIn } from '#shared/scanning/engagements/finding-changes.ts';
import { workOf } from './accepted.ts';
import { noteScan } from './branch-scan.ts';
import { endTask } from './finish.ts';
import { recentScanWrite } from './newer.ts';
import type { Compared, Recorded } from './phases.ts';
import { doneOf, NOTHING_STATED } from './progress.ts';
import { chunkKeys } from './read-report.ts';
import { changeImport, recordImport } from './record-import.ts';
import { keepRows } from './remembered.ts';
import { sentReport } from './sent-report.ts';

/** Ends the task, and in the same transaction records the import and hands the scope with its new state to the next report. */
export async function recordReport(compared: Compared): Promise<Recorded> {
  const { table, connections, scope, scopeRow, taskId, at, manifest, proof, missing, held, progress } = compared;
  const heldCount = held?.records.length ?? 0;
  const proves = proof !== undefined && !held;
  const left = await keepState(workOf(compared), scope, compared.state);
  await keepRows(
    connections.bucket,
    partsOf(compared).map(({ rows }) => rows),
    left.stateKey,
  );
  // this report decides again on findings whose closing an earlier report held back
  const decides = proves || heldCount > 0;
  const settled = decides && scopeRow.heldBy !== taskId ? scopeRow.heldBy : undefined;
  const scanned = {
    left,
    at,
    lastScan: { taskId, tool: manifest.toolNames[0] ?? null, ...(missing && { missing }) },
    writes: [recentScanWrite(compared, proves)],
    heldBy: heldCount > 0 ? taskId : decides ? null : undefined,
  };
  let tell: (connections: Connections) => Promise<void> = async () => undefined;
  const also = async (batch: Batch) => {
    tell = await addCommit(batch, compared);
    await noteScan(batch, compared);
    const heldNow = heldCount > 0 ? { count: heldCount } : null;
    await recordImport(
      batch,
      { ...compared, ...progress },
      { status: 'succeeded', held: heldNow, ...lackIn(compared) },
    );
    if (settled) await changeImport({ batch, table }, settled, () => ({ held: null }));
  };
  const done = doneOf(compared, progress.checkpoint);
  const task = { status: 'succeeded' as const, result: resultOf(compared), progress: done };
  await endTask(workOf(compared), scope, { task, scanned, also });
  await tell(connections);
  const moot = settled ? [taskFiles(table.organizationId, settled).held] : [];
  return { ...compared, replaced: [...replacedState(scopeRow, left), ...moot] };
}

/** A full commit id: a code host takes no shorter one. */
const COMMIT = /^[0-9a-f]{40,64}$/i;

/** The code host of the repository hears of a report that somebody sent on a commit. Scans of own scanners are reported when all have ended. */
async function addCommit(batch: Batch, { table, submission, onBranch, scope, taskId }: Compared) {
  const { source, commit = '', ref = '' } = submission;
  const { assetId, name } = onBranch?.branch ?? {};
  if (source !== 'import' || assetId === undefined || !COMMIT.test(commit)) return async () => undefined;
  return addImportTelling(table, batch, { assetId, commit, ref: ref || name || '', scope, taskId });
}

/** Why the report is incomplete; absent for a complete one. */
const lackIn = ({ gaps = [] }: Compared) => (gaps.length > 0 ? { incomplete: gaps.map(reasonOf) } : {});

function resultOf(phase: Compared) {
  const {
    manifest,
    compared,
    held,
    onBranch,
    progress: { checkpoint },
  } = phase;
  const { rejected, rejectedCount } = manifest;
  return {
    ...checkpoint.counts,
    comparison: compared.comparison,
    ...(onBranch?.defaultNames.length === 0 && { defaultUnknown: true }),
    rejected,
    rejectedCount,
    repeated: manifest.repeated ?? 0,
    ...lackIn(phase),
    ...statedResult(phase),
    bySeverity: changesIn(checkpoint.severities),
    ...(held &&
      held.records.length > 0 && {
        held: { count: held.records.length, open: held.open, ...(held.apart && { apart: held.apart }) },
      }),
  };
}

/** The decisions of the statements of a VEX document; absent for a report without statements. */
function statedResult({ manifest, submission, isOutdated, isKept, progress: { checkpoint } }: Compared) {
  const { document, statements = 0 } = manifest;
  if (!document || submission.source !== 'import') return {};
  const { below: _below, settled, ...counts } = checkpoint.stated ?? NOTHING_STATED;
  const { author, version = null } = document;
  return {
    settled,
    vex: { author, version, statements, ...counts, later: isKept ?? false, outdated: isOutdated ?? false },
  };
}

/** The files that each chunk leaves. */
const partsOf = ({ files, manifest }: Compared) =>
  Array.from({ length: Math.max(1, manifest.chunks) }, (_, n) => ({
    seen: files.seen(n),
    rows: files.rows(n),
    tally: files.tally(n),
  }));

/** Removes the files that nobody reads after the import, and the report itself if it quotes secrets. */
export async function removeReplaced(recorded: Recorded): Promise<Recorded> {
  const { connections, files, submission, manifest, replaced } = recorded;
  const sent = manifest.secrets ? [sentReport(submission)] : [];
  await connections.bucket.remove([
    ...chunkKeys(recorded),
    files.inventory,
    files.carried,
    files.stated,
    ...partsOf(recorded).flatMap(({ seen, rows, tally }) => [seen, rows, tally]),
    ...replaced,
    ...sent,
  ]);
  return recorded;
}
