import { branches } from '#shared/findings/branches/branch.ts';
import type { Batch } from '#shared/platform/table/batch.ts';
import type { Session } from './session.ts';

/** Notes the scan on its branch, which ends some time after the last one. */
export async function noteScan(batch: Batch, { table, task, onBranch, at, submission }: Session): Promise<void> {
  const id = onBranch?.branch.id;
  const current = id === undefined ? undefined : await table.find(branches, id, true);
  if (!current || (current.lastScan?.at ?? '') >= at) return;
  const lastScan = { taskId: task.id, commit: submission.commit ?? null, at };
  batch.update(branches, current, table.changed(current, { lastScan, endedAt: null }));
}
