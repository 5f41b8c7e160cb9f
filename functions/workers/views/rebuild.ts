import * as z from 'zod';
import type { Work } from '#shared/jobs/worker.ts';
import { elapsedMs } from '#shared/runtime/clock.ts';
import { rebuildStep } from '#shared/views/rebuild.ts';
import { openViews } from './list.ts';
import { continueLater, keep, SLICE_MS } from './slice.ts';

const Checkpoint = z.object({
  source: z.int().default(0),
  afterOrdinal: z.int().default(-1),
  seen: z.int().default(0),
  slice: z.int().default(0),
});

/** Makes all views of an organization anew, in slices. */
export async function rebuild(work: Work): Promise<Record<string, unknown> | undefined> {
  const end = elapsedMs() + SLICE_MS;
  const views = await openViews(work.connections);
  const total = views.reduce((sum, { sources }) => sum + sources.length, 0);
  for (let at = Checkpoint.parse(work.task.checkpoint ?? {}); ; ) {
    const next = await rebuildStep(work.table, views, at);
    if (!next) return { seen: at.seen };
    const isOver = elapsedMs() > end;
    at = { ...next, slice: at.slice + Number(isOver) };
    await keep(work, { checkpoint: at, progress: { done: at.source, total, unit: 'collections' } });
    if (isOver) return continueLater(work, at.slice);
  }
}
