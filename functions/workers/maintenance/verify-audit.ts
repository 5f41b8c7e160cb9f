import * as z from 'zod';
import { EMPTY_LOG } from '#shared/platform/feed/log.ts';
import { verifyLog } from '#shared/platform/feed/verify.ts';
import { taskRows } from '#shared/platform/jobs/task.ts';
import type { Work } from '#shared/platform/jobs/worker.ts';
import { continueLater, sliceEnd } from './slice.ts';

/** The place up to which the log was found sound. */
const Checkpoint = z.object({ next: z.int(), last: z.int(), hash: z.string(), slice: z.int() });

/** Checks the hash chain of the audit log, in slices. */
export async function verifyAudit(work: Work): Promise<Record<string, unknown> | undefined> {
  const { slice, ...from } = Checkpoint.parse(work.task.checkpoint ?? { ...EMPTY_LOG, slice: 0 });
  const { at, end, broken } = await verifyLog(work, from, sliceEnd());
  const progress = { done: at.next - 1, total: end.next - 1, unit: 'changes' };
  if (broken === undefined) return continueLater(work, { checkpoint: { ...at, slice: slice + 1 }, progress });
  await work.table.rows(taskRows).set({ id: work.task.id }, { progress });
  return { changes: at.next - 1, hash: at.hash, broken };
}
