import { readSettings } from '#shared/credentials/organization-settings.ts';
import { branches } from '#shared/findings/branches/branch.ts';
import { branchDue, branchTimer, queueEnd } from '#shared/findings/bulk/branch-end.ts';
import { nowMs } from '#shared/platform/runtime/clock.ts';
import { putTimer, removeTimer } from '#shared/platform/timers/timers.ts';
import type { Due } from './due.ts';

/** Ends a branch without a scan for a long time, and removes a branch that ended long ago. */
export async function sweepBranch({ table, connections, timer, drop }: Due): Promise<void> {
  const [branch, settings] = await Promise.all([table.find(branches, timer.id, true), readSettings(table)]);
  if (!branch) return drop();
  const due = branch.isDefault ? undefined : branchDue(branch, settings);
  const isDue = due !== undefined && due <= nowMs();
  const writes = [removeTimer(timer), putTimer(branchTimer(table, branch.id, isDue ? undefined : due))];
  if (isDue) {
    await queueEnd({ connections, table }, { branchId: branch.id, isRemoved: branch.endedAt !== null, writes });
    return;
  }
  await table.write(...writes);
}
