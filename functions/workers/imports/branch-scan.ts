import { branches } from '#shared/findings/branches/branch.ts';
import type { Batch } from '#shared/platform/table/batch.ts';
import type { Accepted } from './phases.ts';

/** Notes the scan on its branch, which ends some time after the last one. */
export async function noteScan(batch: Batch, { table, taskId, onBranch, at, submission }: Accepted): Promise<void> {
  const id = onBranch?.branch.id;
  const current = id === undefined ? undefined : await table.find(branches, id, true);
  if (!current || (current.lastScan?.at ?? '') >= at) return;
  const lastScan = { taskId, commit: submission.commit ?? null, at };
  batch.update(branches, current, table.changed(current, { lastScan, endedAt: null }));
}
