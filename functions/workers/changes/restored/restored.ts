import { groupOf } from '#shared/findings/bulk/queue.ts';
import { continueNow, keepStep } from '#shared/platform/jobs/continue.ts';
import { taskFolder } from '#shared/platform/jobs/task-files.ts';
import type { Work } from '#shared/platform/jobs/worker.ts';
import { nowMs } from '#shared/platform/runtime/clock.ts';
import { lookForStates, makeStates, pointToStates } from './make-states.ts';
import { requeueTasks } from './requeue.ts';
import { type Checkpoint, readCheckpoint, type Settling } from './settling.ts';

/** After this the organization's imports go first. */
const SLICE_MS = 3_000;

/**
 * Each function does a part of its phase and returns its progress, undefined at the phase's end. Repeating a part
 * changes nothing.
 */
const PHASES = [lookForStates, makeStates, pointToStates, requeueTasks];

/**
 * Settles an organization's scans and tasks after a restore of the table to an earlier time. Makes the states of scan
 * scopes that are missing in the bucket from the findings. Every task that had not ended continues from its checkpoint,
 * or fails where its files are gone. The task holds the turn of the imports, and runs in slices.
 */
export async function settleRestored(work: Work): Promise<Record<string, unknown> | undefined> {
  const { table, connections } = work;
  const startedMs = nowMs();
  const settling: Settling = { ...work, missingFile: `${taskFolder(table.organizationId, work.task.id)}/missing.json` };
  let at: Checkpoint = readCheckpoint(work.task);
  for (let phase = PHASES[at.phase]; phase; phase = PHASES[at.phase]) {
    if (nowMs() - startedMs > SLICE_MS) {
      settling.task = await keepStep(table, settling.task, { checkpoint: { ...at, slice: at.slice + 1 } });
      return continueNow({ connections, table, task: settling.task, group: groupOf(table) }, at.slice + 1);
    }
    at = (await phase(settling, at)) ?? { ...at, phase: at.phase + 1, collection: 0, after: -1, from: '' };
    const progress = { ...settling.task.progress, done: at.seen };
    settling.task = await keepStep(table, settling.task, { checkpoint: at, progress });
  }
  await connections.bucket.remove([settling.missingFile]);
  return { made: at.made, requeued: at.requeued };
}
