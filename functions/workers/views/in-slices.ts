import * as z from 'zod';
import { taskFolder } from '#shared/platform/jobs/task-files.ts';
import type { Work } from '#shared/platform/jobs/worker.ts';
import { chunksOf } from '#shared/platform/runtime/chunks.ts';
import { elapsedMs } from '#shared/platform/runtime/clock.ts';
import { continueLater, keep, SLICE_MS } from './slice.ts';

/** The records before this ordinal are left. */
const Checkpoint = z.object({
  before: z.number().default(Number.MAX_SAFE_INTEGER),
  slice: z.int().default(0),
  changed: z.int().default(0),
});

const STEP = 240;

type Steps = {
  unit: string;
  /** The ordinals of the records, newest first. */
  select: () => Promise<number[]>;
  /** Changes some of the records. @returns how many changed */
  step: (ordinals: readonly number[]) => Promise<number>;
};

/** Works many records in slices. */
export async function inSlices(
  work: Work,
  { unit, select, step }: Steps,
): Promise<Record<string, unknown> | undefined> {
  const end = elapsedMs() + SLICE_MS;
  const { before, slice, ...counted } = Checkpoint.parse(work.task.checkpoint ?? {});
  const all = await selectionOf(work, select);
  const left = all.filter((ordinal) => ordinal < before);
  let { changed } = counted;
  for (const part of chunksOf(left, STEP)) {
    changed += await step(part);
    const isOver = elapsedMs() > end;
    const last = part.at(-1) ?? before;
    const at = { before: last, slice: slice + Number(isOver), changed };
    const done = all.indexOf(last) + 1;
    await keep(work, { checkpoint: at, progress: { done, total: all.length, unit } });
    if (isOver) return continueLater(work, at.slice);
  }
  return { seen: all.length, changed };
}

/** The ordinals that the first slice found, so that later slices need not ask the index again. */
async function selectionOf({ table, task, connections }: Work, select: Steps['select']): Promise<number[]> {
  const file = `${taskFolder(table.organizationId, task.id)}/moved`;
  const kept = task.checkpoint && (await connections.bucket.get(file));
  if (kept) return JSON.parse(Buffer.from(kept).toString());
  const found = await select();
  await connections.bucket.put(file, JSON.stringify(found));
  return found;
}
