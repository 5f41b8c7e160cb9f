import type { Table } from '#shared/platform/table/table.ts';
import { tasksOf } from '#shared/scanning/fleet/group-counts.ts';
import type { ScannerPresence } from '#shared/scanning/fleet/presence.ts';
import { hintOf, type WorkHint } from '#shared/scanning/scanner-tasks/queue.ts';
import { parseScannerQueue, type ScannerTask } from '#shared/scanning/scanner-tasks/scanner-task.ts';
import { EVERYONE, type Limits, leftOf, readUsage } from '#shared/scanning/scanner-tasks/usage.ts';
import { readFit } from '#shared/scanning/scanner-tasks/waiting.ts';
import { type Dispatch, type ScannerGroup, scannerGroups } from '#shared/scanning/scanners/scanner-group.ts';

type GroupLimit = Limits & { left: number };

type Load = { pending: number; running: number; online: number; held: number };

/**
 * How many of a group's tasks a scanner takes with one poll. `round_robin`: an equal part of the waiting tasks for
 * every online scanner. `least_loaded`: an equal part of all waiting and running tasks, less the tasks that the scanner
 * holds.
 */
export function shareOf(dispatch: Dispatch, { pending, running, online, held }: Load): number {
  const scanners = Math.max(1, online);
  if (dispatch === 'round_robin') return Math.max(1, Math.ceil(pending / scanners));
  // tasks that the scanner holds beyond the running tasks of the group are other work, which must not keep the group
  // waiting
  return Math.max(0, Math.ceil((pending + running) / scanners) - Math.min(held, running));
}

/** How many tasks each group with waiting tasks may start now. Reads nothing when no task waits. */
export async function groupLimits(
  table: Table,
  presence: ScannerPresence,
  { queues, hint }: { queues: readonly string[]; hint: WorkHint | undefined },
): Promise<ReadonlyMap<string, GroupLimit>> {
  const hinted = queues.filter((queue) => hintOf(hint, queue) !== undefined);
  const groupIds = [...new Set(hinted.flatMap((queue) => parseScannerQueue(queue).groupId ?? []))];
  if (groupIds.length === 0) return new Map();
  const groups = await table.findMany(scannerGroups, groupIds);
  const limits = groups.map(async (group) => [group.id, await limitOf(table, presence, group)] as const);
  return new Map(await Promise.all(limits));
}

async function limitOf(table: Table, presence: ScannerPresence, group: ScannerGroup): Promise<GroupLimit> {
  const { id, dispatch, maxConcurrentTasks: total } = group;
  const [running, tasks, fit] = await Promise.all([
    total === null ? 0 : readUsage(table, { groupId: id, owner: EVERYONE }),
    tasksOf(table, id),
    readFit(table, presence.zone, id),
  ]);
  const held = Object.keys(presence.leases).length;
  const share = shareOf(dispatch, { ...tasks, online: fit['on:any'] ?? 0, held });
  return { total, perOrganization: null, left: Math.min(leftOf(total, running), share) };
}

/** The first of the tasks, as many of each group as may be taken. */
export function withinLimits(tasks: readonly ScannerTask[], limits: ReadonlyMap<string, GroupLimit>): ScannerTask[] {
  const taken = new Map<string, number>();
  return tasks.filter(({ scannerGroupId }) => {
    const left = scannerGroupId === null ? undefined : limits.get(scannerGroupId)?.left;
    if (scannerGroupId === null || left === undefined) return true;
    const count = taken.get(scannerGroupId) ?? 0;
    taken.set(scannerGroupId, count + 1);
    return count < left;
  });
}
