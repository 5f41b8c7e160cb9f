import { branches } from '#shared/entities/branch.ts';
import { branchDue, branchTimer, queueEnd } from '#shared/findings/branch-end.ts';
import { nowMs } from '#shared/runtime/clock.ts';
import type { Connections } from '#shared/runtime/connections.ts';
import { putTimer, removeTimer, type Timer } from '#shared/timers/timers.ts';
import { dropTimer } from './drop-timer.ts';
import { tableOf } from './table-of.ts';

const DAY_MS = 86_400_000;

/**
 * A branch that was not scanned for long ends, and one that ended long ago is removed. Its timer lives as long as the branch
 * and looks again a day later, in case that the end failed.
 */
export async function sweepBranch(connections: Connections, timer: Timer): Promise<void> {
  const table = tableOf(connections.dynamo, timer);
  const branch = await table.find(branches, timer.id, true);
  if (!branch) return dropTimer(connections.dynamo, timer);
  const due = branch.isDefault ? nowMs() + DAY_MS : branchDue(branch);
  const move = (at: number) => [removeTimer(timer), putTimer(branchTimer(table, branch.id, at))];
  if (due <= nowMs()) {
    const end = { branchId: branch.id, isRemoved: branch.endedAt !== null };
    await queueEnd(connections, table, { ...end, writes: move(nowMs() + DAY_MS) });
    return;
  }
  const batch = table.batch();
  batch.write(...move(due));
  await batch.commit();
}
