import { continueAt, keepStep } from '#shared/platform/jobs/continue.ts';
import { sendTask, type TaskRow, taskRows } from '#shared/platform/jobs/task.ts';
import type { Work } from '#shared/platform/jobs/worker.ts';
import { elapsedMs, now } from '#shared/platform/runtime/clock.ts';

/** A slice ends well before the function's time limit; the next slice continues from the checkpoint. */
const SLICE_MS = 60_000;

/** @returns a function that says whether the slice that begins now is over */
export function sliceEnd(): () => boolean {
  const end = elapsedMs() + SLICE_MS;
  return () => elapsedMs() > end;
}

type Reached = { checkpoint: { slice: number } & Record<string, unknown>; progress: TaskRow['progress'] };

/** Queues the next slice, which begins at the checkpoint. */
export async function continueLater({ connections, table, task }: Work, { checkpoint, progress }: Reached) {
  await table.rows(taskRows).set({ id: task.id }, { checkpoint, progress, updatedAt: now() });
  const deduplicationId = `${task.id}-${checkpoint.slice}`;
  await sendTask(connections, table, task, { group: table.organizationId, deduplicationId });
  return undefined;
}

/** Ends a slice until a time, at which the next begins at the checkpoint. */
export async function continueAtTime(
  { table, task }: Work,
  { checkpoint, progress }: Reached,
  { at, group }: { at: string; group: string },
): Promise<undefined> {
  const kept = await keepStep(table, task, { checkpoint, progress });
  return continueAt({ table, task: kept, group }, at);
}

export const removalProgress = ({ rows, objects }: { rows: number; objects: number }) =>
  ({ done: rows + objects, unit: 'rows and objects' }) satisfies TaskRow['progress'];
