import { sendTask, type TaskRow, taskRows } from '#shared/platform/jobs/task.ts';
import type { Work } from '#shared/platform/jobs/worker.ts';
import { now } from '#shared/platform/runtime/clock.ts';
import { viewsGroup } from '#shared/platform/views/wake.ts';

/** So long a task keeps the organization's changes waiting; then its message goes behind theirs. */
export const SLICE_MS = 20_000;

type Reached = { checkpoint: Record<string, unknown>; progress: TaskRow['progress'] };

/** Notes how far a task has come. A repeated step writes nothing, so step and checkpoint need no common transaction. */
export async function keep({ table, task }: Work, reached: Reached): Promise<void> {
  await table.rows(taskRows).set({ id: task.id }, { ...reached, updatedAt: now() });
}

/** Queues the next slice, which begins at the checkpoint. */
export async function continueLater({ connections, table, task }: Work, slice: number): Promise<undefined> {
  await sendTask(connections, table, task, { group: viewsGroup(table), deduplicationId: `${task.id}-${slice}` });
}
