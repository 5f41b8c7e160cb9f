import * as z from 'zod';
import type { Work } from '#shared/platform/jobs/worker.ts';
import { elapsedMs } from '#shared/platform/runtime/clock.ts';
import { rebuildStep } from '#shared/platform/views/rebuild.ts';
import type { View } from '#shared/platform/views/view.ts';
import { sourcesOf } from '#shared/platform/views/view.ts';
import { recogniseStep } from './identity/recognise-all.ts';
import { openViews } from './list.ts';
import { continueLater, keep, SLICE_MS } from './slice.ts';

const Checkpoint = z.object({
  source: z.int().default(0),
  afterOrdinal: z.int().default(-1),
  seen: z.int().default(0),
  /** Assets that were compared with the others, which comes last. */
  compared: z.int().default(0),
  isDone: z.boolean().default(false),
  slice: z.int().default(0),
});
type Checkpoint = z.infer<typeof Checkpoint>;

/** Makes all views of an organization again and compares its assets, in slices. */
export async function rebuild(work: Work): Promise<Record<string, unknown> | undefined> {
  const end = elapsedMs() + SLICE_MS;
  const views = await openViews(work.connections);
  const sources = sourcesOf(views).length;
  let at = Checkpoint.parse(work.task.checkpoint ?? {});
  while (!at.isDone) {
    const next = at.source < sources ? await rebuilt(work, views, at) : await compared(work, at);
    const isOver = elapsedMs() > end;
    at = { ...next, slice: at.slice + Number(isOver) };
    await keep(work, { checkpoint: at, progress: { done: at.source, total: sources + 1, unit: 'collections' } });
    if (isOver && !at.isDone) return continueLater(work, at.slice);
  }
  return { seen: at.seen, compared: at.compared };
}

const rebuilt = async ({ table }: Work, views: readonly View[], at: Checkpoint): Promise<Checkpoint> => ({
  ...at,
  ...(await rebuildStep(table, views, at)),
});

async function compared(work: Work, at: Checkpoint): Promise<Checkpoint> {
  const { next, compared: count } = await recogniseStep(work, at);
  const reached = { ...at, compared: count };
  return next === undefined ? { ...reached, source: at.source + 1, isDone: true } : { ...reached, afterOrdinal: next };
}
