import { branches } from '#shared/findings/branches/branch.ts';
import type { Batch } from '#shared/platform/table/batch.ts';
import type { Session } from './session.ts';

/** Notes the scan on its branch, which ends some time after the last one. */
export async function noteScan(batch: Batch, { table, task, onBranch, at, submission }: Session): Promise<void> {
  const id = onBranch?.branch.id;
  const standing = id === undefined ? undefined : await table.find(branches, id, true);
  if (!standing || (standing.lastScan?.at ?? '') >= at) return;
  const lastScan = { taskId: task.id, commit: submission.commit ?? null, at };
  batch.update(branches, standing, table.changed(standing, { lastScan, endedAt: null }));
}
