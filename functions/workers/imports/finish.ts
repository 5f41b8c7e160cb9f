import { groupOf } from '#shared/findings/bulk/queue.ts';
import { type LeftState, readScope, releasedBy, type ScopeRow, scopeWrite } from '#shared/findings/view/scan-scope.ts';
import { INGEST_OPERATION } from '#shared/ingest/accept.ts';
import { checkResult } from '#shared/platform/jobs/results.ts';
import { sendTask, type TaskRow, taskWrite } from '#shared/platform/jobs/task.ts';
import type { Work } from '#shared/platform/jobs/worker.ts';
import { givePlace } from '#shared/platform/quotas/places.ts';
import { now } from '#shared/platform/runtime/clock.ts';
import { retry } from '#shared/platform/runtime/retry.ts';
import type { Batch } from '#shared/platform/table/batch.ts';
import type { Write } from '#shared/platform/table/io/commit.ts';
import { wakeViewsSoon } from '#shared/platform/views/wake.ts';
import { recordLost } from './record-import.ts';
import { results } from './results.ts';

type TaskEnd = {
  task: Partial<TaskRow>;
  /** Of a report that was applied: the scope's new state, when the report came in, and what else is to be written. */
  scanned?: Scanned;
  /** Adds what else belongs to the transaction; called again after a conflict. */
  also?: (batch: Batch) => Promise<void>;
};
type Scanned = {
  left: LeftState;
  at?: string;
  /** The scan that looked last; null where that is undone. */
  lastScan?: ScopeRow['lastScan'] | null;
  writes?: Write[];
  /** The task whose closing waits for a person; null when none does any more. */
  heldBy?: string | null;
};

/** Ends the task and hands its scope to the next one, in one transaction; then the next one's message is sent. */
export async function endTask(work: Work, scope: string, { task, scanned, also }: TaskEnd): Promise<void> {
  checkResult(work.connections, results, { ...work.task, ...task });
  await retry(async () => {
    const current = await readScope(work.table, scope);
    const next = releasedBy(scanned ? afterScan(work, current, scanned) : current, work.task.id);
    const batch = work.table.batch();
    batch.write(taskWrite(work.table, work.task, { ...task, checkpoint: undefined, finishedAt: now() }));
    batch.write(scopeWrite(work.table, current, next), ...(scanned?.writes ?? []));
    batch.write(givePlace(work.table.tenant, 'imports', work.task.id));
    await also?.(batch);
    await batch.commit();
  });
  await wakeViewsSoon(work);
  await wakeNext(work, scope);
}

/** A task that lost its scope meanwhile comes to it anew: its state is not the last one any more. */
function afterScan({ task }: Work, current: ScopeRow, { left, at = '', lastScan, heldBy }: Scanned): ScopeRow {
  if (current.holder !== task.id) throw new Error(`task ${task.id} lost its scope`);
  const { lastScanAt = '' } = current;
  const isLast = at >= lastScanAt;
  const last = isLast ? at : lastScanAt;
  const held = heldBy === undefined ? current.heldBy : (heldBy ?? undefined);
  const looked = lastScan === null ? undefined : isLast ? (lastScan ?? current.lastScan) : current.lastScan;
  return { ...current, ...left, heldBy: held, lastScan: looked, ...(last && { lastScanAt: last }) };
}

/** A task that keeps failing gives its scope to the next one; redriven, it comes to the scope as a new one does. */
export async function giveUp(work: Work, scope: string): Promise<void> {
  await retry(async () => {
    const current = await readScope(work.table, scope);
    const batch = work.table.batch();
    batch.write(givePlace(work.table.tenant, 'imports', work.task.id));
    if (current.holder === work.task.id)
      batch.write(scopeWrite(work.table, current, releasedBy(current, work.task.id)));
    await batch.commit();
  });
  await wakeNext(work, scope);
  // last, because it reads the bucket, which may be what failed: the next delivery tries it again
  if (work.task.operation !== INGEST_OPERATION) return;
  await retry(async () => {
    const batch = work.table.batch();
    await recordLost(batch, work);
    if (batch.size() > 0) await batch.commit();
  });
}

/**
 * Sends the holder's message. Also for a redelivered message of a finished task: the worker may have stopped between
 * the end of the task and this. A second message is dropped by the queue or finds nothing to do.
 */
export async function wakeNext({ table, connections, task }: Work, scope: string): Promise<void> {
  const { holder } = await readScope(table, scope);
  if (holder === undefined || holder === task.id) return;
  const next = { id: holder, job: task.job };
  await sendTask(connections, table, next, {
    group: groupOf(table),
    deduplicationId: `${holder}-after-${task.id}`,
  });
}
