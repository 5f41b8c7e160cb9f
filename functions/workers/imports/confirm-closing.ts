import { isOpenItself } from '#shared/findings/finding/finding-status.ts';
import { allSeen, findSeen, type SeenRecord, unpackState } from '#shared/findings/view/scan-state.ts';
import { keepState, replacedState } from '#shared/findings/view/scope-state.ts';
import { taskFiles } from '#shared/ingest/submission.ts';
import { TaskFailure } from '#shared/platform/jobs/worker.ts';
import { isConflict, retry } from '#shared/platform/runtime/retry.ts';
import type { Batch } from '#shared/platform/table/batch.ts';
import { changesIn } from '#shared/scanning/engagements/finding-changes.ts';
import { closeAll } from './close.ts';
import { endTask } from './finish.ts';
import { rowsOf } from './lookup.ts';
import type { MissingRecord } from './proof.ts';
import { changeImport } from './record-import.ts';
import type { Session } from './session.ts';

/**
 * Closes the findings that an earlier report of the scope held back, after someone confirmed it. A finding that was seen
 * again or decided otherwise stays. The findings name the scan that no longer saw them.
 */
export async function closeHeld(session: Session, heldTaskId: string): Promise<void> {
  const { connections, table, scope, state } = session;
  const bytes = await connections.bucket.get(taskFiles(table.organizationId, heldTaskId).held);
  if (!bytes) throw new TaskFailure('not_found', 'The findings that were held back are no longer kept: scan again.');
  const held = [...allSeen(unpackState(bytes))];
  const close = async () => closeAll(session, await stillMissing(session, held, heldTaskId));
  await retry(close, isConflict);
  const rows = await rowsOf(
    session,
    held.map(({ id }) => id),
  );
  const isClosed = ({ id }: SeenRecord) => rows.get(id)?.fixedByTaskId === heldTaskId;
  const left = [...allSeen(state)].filter((record) => !isClosed(record));
  const stateKey = await keepState(session, scope, left);
  const result = { ...session.checkpoint.counts, rejected: [], rejectedCount: 0 };
  const progress = { ...session.task.progress, done: held.length, total: held.length };
  const heldBy = session.scopeRow.heldBy === heldTaskId ? null : undefined;
  const also = (batch: Batch) => recordConfirmed(batch, session, heldTaskId);
  await endTask(session, scope, {
    task: { status: 'succeeded', result, progress },
    scanned: { stateKey, heldBy },
    also,
  });
  const old = replacedState(session.scopeRow, stateKey);
  await connections.bucket.remove([taskFiles(table.organizationId, heldTaskId).held, ...old]);
}

/** The import has closed these findings, and holds none back any more. */
const recordConfirmed = (batch: Batch, { table, checkpoint }: Session, heldTaskId: string): Promise<void> =>
  changeImport({ batch, table }, heldTaskId, ({ counts, bySeverity: before }) => ({
    held: null,
    counts: { ...counts, closed: counts.closed + checkpoint.counts.closed },
    bySeverity: { ...before, closed: changesIn(checkpoint.severities).closed },
  }));

async function stillMissing(
  session: Session,
  held: readonly SeenRecord[],
  heldTaskId: string,
): Promise<MissingRecord[]> {
  const { state, at } = session;
  const proof = { taskId: heldTaskId, at, since: Date.parse(at) };
  const rows = await rowsOf(
    session,
    held.map(({ id }) => id),
  );
  return held.flatMap((seen) => {
    const current = rows.get(seen.id);
    const last = findSeen(state, seen.fingerprint);
    return current && isOpenItself(current) && last?.occurrences === seen.occurrences ? [{ seen, current, proof }] : [];
  });
}
