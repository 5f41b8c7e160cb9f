import { acquiredBy, readScope, type ScopeRow, scopeWrite } from '#shared/findings/view/scan-scope.ts';
import { jobs, visibilitySeconds } from '#shared/platform/jobs/jobs.ts';
import { isFinished, taskRows, taskWrite } from '#shared/platform/jobs/task.ts';
import type { Work } from '#shared/platform/jobs/worker.ts';
import { inSeconds } from '#shared/platform/runtime/clock.ts';
import { retry } from '#shared/platform/runtime/retry.ts';
import { wakeNext } from './finish.ts';

/** Takes the scope for this task, or joins the tasks that wait for it; the task before then wakes this one. */
export async function acquireScope(work: Work, id: string): Promise<ScopeRow | undefined> {
  const { table, task } = work;
  const { scope, holderIsNew } = await retry(async () => {
    const current = await readScope(table, id);
    const next = acquiredBy(current, task.id, await isGone(work, current.holder));
    if (!next && current.holder === task.id) return { scope: current, holderIsNew: false };
    const batch = table.batch();
    if (next) batch.write(scopeWrite(table, current, next));
    const mine = next?.holder === task.id;
    if (!mine) batch.write(taskWrite(table, task, { status: 'queued' }));
    await batch.commit();
    const scope = mine ? { ...next, revision: current.revision + 1 } : undefined;
    return { scope, holderIsNew: next?.holder !== current.holder };
  });
  // also when this message comes again: its worker may have stopped before the holder was woken
  if (!scope && holderIsNew) await wakeNext(work, id);
  return scope;
}

/** By then a worker that dies at every attempt has used them up, and its task is marked as failed. */
const HOLD_SECONDS = visibilitySeconds(jobs.ingest) * jobs.ingest.attempts;

/**
 * A holder that failed for good does not block its scope, nor one that was not worked for so long: its message is lost, or
 * waits behind many others and then comes to the scope anew.
 */
async function isGone({ table, task }: Work, holder: string | undefined): Promise<boolean> {
  if (holder === undefined || holder === task.id) return false;
  const other = await table.rows(taskRows).find({ id: holder }, true);
  return !other || isFinished(other) || other.updatedAt < inSeconds(-HOLD_SECONDS);
}
