import * as z from 'zod';
import { Concerned, concernedBits } from '#shared/exposure/asset-rules/apply.ts';
import { forgetKept } from '#shared/exposure/asset-rules/kept.ts';
import { removeRulesOf } from '#shared/exposure/asset-rules/remove.ts';
import { restoreRulesOf } from '#shared/exposure/asset-rules/restore.ts';
import { settleAssets } from '#shared/exposure/asset-rules/settle-assets.ts';
import type { Work } from '#shared/platform/jobs/worker.ts';
import { chunksOf } from '#shared/platform/runtime/chunks.ts';
import { elapsedMs } from '#shared/platform/runtime/clock.ts';
import { newestOf } from '#shared/platform/table/layout/bits.ts';
import { continueLater, keep, SLICE_MS } from './slice.ts';

/** The assets before this ordinal are left. */
const Checkpoint = z.object({
  before: z.number().default(Number.MAX_SAFE_INTEGER),
  looked: z.int().default(0),
  changed: z.int().default(0),
  slice: z.int().default(0),
});

const STEP = 200;

/** Brings the assets that a change of rules may concern to the current rules. */
export async function applyAssetRules(work: Work): Promise<Record<string, unknown> | undefined> {
  const end = elapsedMs() + SLICE_MS;
  let at = Checkpoint.parse(work.task.checkpoint ?? {});
  const concerned = Concerned.parse(work.task.input);
  const { removed, restored } = concerned;
  if (removed !== undefined) await removeRulesOf(work.table, removed);
  const back = restored === undefined ? undefined : await restoreRulesOf(work.table, restored, work.task.id);
  const all = back?.ordinals ?? newestOf(await concernedBits(work.table, concerned));
  const left = all.filter((ordinal) => ordinal < at.before);
  const total = at.looked + left.length;
  for (const part of chunksOf(left, STEP)) {
    const changed = at.changed + (await settleAssets(work, part, back?.editOf)).length;
    const looked = at.looked + part.length;
    const isOver = elapsedMs() > end;
    at = { before: part.at(-1) ?? 0, looked, changed, slice: at.slice + Number(isOver) };
    await keep(work, { checkpoint: at, progress: { done: looked, total, unit: 'assets' } });
    if (isOver) return continueLater(work, at.slice);
  }
  if (back && restored !== undefined) await forgetKept(work.table, restored);
  return { looked: at.looked, changed: at.changed };
}
