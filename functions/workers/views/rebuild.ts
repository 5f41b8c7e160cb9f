import * as z from 'zod';
import { sendTask, type TaskRow, taskRows } from '#shared/jobs/task.ts';
import type { Work } from '#shared/jobs/worker.ts';
import { elapsedMs, now } from '#shared/runtime/clock.ts';
import { rebuildStep } from '#shared/views/rebuild.ts';
import type { View } from '#shared/views/view.ts';
import { viewsGroup } from '#shared/views/wake.ts';
import { openViews } from './list.ts';

const Checkpoint = z.object({
  source: z.int().default(0),
  afterOrdinal: z.int().default(-1),
  seen: z.int().default(0),
  slice: z.int().default(0),
});
type Checkpoint = z.infer<typeof Checkpoint>;

/** So long a rebuild keeps the organization's changes waiting; then its message goes behind theirs. */
const SLICE_MS = 20_000;

/** Makes all views of an organization anew, in slices. A repeated step changes nothing. */
export async function rebuild(work: Work): Promise<Record<string, unknown> | undefined> {
  const end = elapsedMs() + SLICE_MS;
  const views = await openViews(work.connections);
  for (let at = Checkpoint.parse(work.task.checkpoint ?? {}); ; ) {
    const next = await rebuildStep(work.table, views, at);
    if (!next) return { seen: at.seen };
    at = { ...next, slice: at.slice };
    if (elapsedMs() > end) return continueLater(work, views, { ...at, slice: at.slice + 1 });
    await keep(work, views, at);
  }
}

async function continueLater(work: Work, views: readonly View[], at: Checkpoint): Promise<undefined> {
  const { connections, table, task } = work;
  await keep(work, views, at);
  await sendTask(connections, table, task, { group: viewsGroup(table), deduplicationId: `${task.id}-${at.slice}` });
}

async function keep({ table, task }: Work, views: readonly View[], checkpoint: Checkpoint): Promise<void> {
  const total = views.reduce((sum, { sources }) => sum + sources.length, 0);
  const progress: TaskRow['progress'] = { done: checkpoint.source, total, unit: 'collections' };
  await table.rows(taskRows).set({ id: task.id }, { checkpoint, progress, updatedAt: now() });
}
