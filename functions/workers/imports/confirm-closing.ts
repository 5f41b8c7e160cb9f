import { isOpenItself } from '#shared/findings/finding/finding-status.ts';
import { allSeen, findSeen, type SeenRecord, stateOf, unpackState } from '#shared/findings/view/scan-state.ts';
import { keepState, replacedState } from '#shared/findings/view/scope-state.ts';
import { taskFiles } from '#shared/ingest/submission.ts';
import { TaskFailure } from '#shared/platform/jobs/worker.ts';
import { isConflict, retry } from '#shared/platform/runtime/retry.ts';
import type { Batch } from '#shared/platform/table/batch.ts';
import { changesIn } from '#shared/scanning/engagements/finding-changes.ts';
import { workOf } from './accepted.ts';
import { closeAll } from './close.ts';
import { endTask } from './finish.ts';
import { rowsOf } from './lookup.ts';
import type { Accepted } from './phases.ts';
import type { MissingRecord } from './proof.ts';
import { changeImport } from './record-import.ts';

/**
 * Closes the findings that an earlier report of the scope held back, after someone confirmed it. A finding that was seen
 * again or decided otherwise stays. The findings name the scan that no longer saw them.
 */
export async function closeHeld(accepted: Accepted, heldTaskId: string): Promise<void> {
  const { connections, table, scope, scopeRow, earlier, progress } = accepted;
  const bytes = await connections.bucket.get(taskFiles(table.organizationId, heldTaskId).held);
  if (!bytes) throw new TaskFailure('not_found', 'The findings that were held back are no longer kept: scan again.');
  const held = [...allSeen(unpackState(bytes))];
  const close = async () => closeAll(accepted, await stillMissing(accepted, held, heldTaskId));
  await retry(close, isConflict);
  const rows = await rowsOf(
    accepted,
    held.map(({ id }) => id),
  );
  const isClosed = ({ id }: SeenRecord) => rows.get(id)?.fixedByTaskId === heldTaskId;
  const others = [...allSeen(earlier.state)].filter((record) => !isClosed(record));
  const left = await keepState(workOf(accepted), scope, stateOf(others));
  const result = { ...progress.checkpoint.counts, rejected: [], rejectedCount: 0 };
  const done = { ...progress.task.progress, done: held.length, total: held.length };
  const heldBy = scopeRow.heldBy === heldTaskId ? null : undefined;
  const also = (batch: Batch) => recordConfirmed(batch, accepted, heldTaskId);
  await endTask(workOf(accepted), scope, {
    task: { status: 'succeeded', result, progress: done },
    scanned: { left, heldBy },
    also,
  });
  const old = replacedState(scopeRow, left);
  await connections.bucket.remove([taskFiles(table.organizationId, heldTaskId).held, ...old]);
}

/** The import has closed these findings, and holds none back any more. */
const recordConfirmed = (
  batch: Batch,
  { table, progress: { checkpoint } }: Accepted,
  heldTaskId: string,
): Promise<void> =>
  changeImport({ batch, table }, heldTaskId, ({ counts, bySeverity: before }) => ({
    held: null,
    counts: { ...counts, closed: counts.closed + checkpoint.counts.closed },
    bySeverity: { ...before, closed: changesIn(checkpoint.severities).closed },
  }));

async function stillMissing(
  accepted: Accepted,
  held: readonly SeenRecord[],
  heldTaskId: string,
): Promise<MissingRecord[]> {
  const { earlier, at } = accepted;
  const proof = { taskId: heldTaskId, at, since: Date.parse(at) };
  const rows = await rowsOf(
    accepted,
    held.map(({ id }) => id),
  );
  return held.flatMap((seen) => {
    const current = rows.get(seen.id);
    const last = findSeen(earlier.state, seen.fingerprint);
    return current && isOpenItself(current) && last?.occurrences === seen.occurrences ? [{ seen, current, proof }] : [];
  });
}
