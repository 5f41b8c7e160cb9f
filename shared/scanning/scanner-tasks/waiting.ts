import type { TaskType } from '#shared/assets/targets/scan-target.ts';
import { nowMs } from '#shared/platform/runtime/clock.ts';
import type { Counts } from '#shared/platform/table/counters.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { engagements } from '../engagements/engagement.ts';
import { fitName, scanners } from '../scanners/scanner.ts';
import { scannerGroups } from '../scanners/scanner-group.ts';
import { openUntil } from '../schedule/windows.ts';
import { isPoolTask, openPools, type PoolTask, poolRows } from './pools.ts';
import { isWindowed, type ScannerTask, scannerQueueOf, type WaitingReason } from './scanner-task.ts';
import { holderOf } from './shared-lease.ts';
import { EVERYONE, leftOf, readUsage } from './usage.ts';

/** An idle scanner polls at least every two minutes: before that a task waits for no special reason. */
const PATIENCE_SECONDS = 150;

/** The reason why no scanner takes a task, from the counters of the scanners of its zone and group. */
export function reasonOf(fit: Counts, type: TaskType, waitingSeconds: number): WaitingReason | undefined {
  if (!fit.any) return 'no_scanner_in_zone';
  if (!fit[type]) return 'no_scanner_for_type';
  if (!fit[`on:${type}`]) return 'all_offline';
  return waitingSeconds > PATIENCE_SECONDS ? 'all_busy' : undefined;
}

export const isUnassignable = (fit: Counts, type: string): boolean => !fit.any || !fit[type];

export const readFit = (table: Table, zone: string | null, groupId: string | null): Promise<Counts> =>
  table.tally(scanners, 'fit', fitName(zone, groupId));

/** Adds to each waiting task its reason. This costs a few counter reads per zone and group. */
export async function withWaitingReasons(table: Table, tasks: readonly ScannerTask[]): Promise<ScannerTask[]> {
  const capacities = new Map<string, ReturnType<typeof readCapacity>>();
  const capacityOf = (task: ScannerTask) => {
    const name = scannerQueueOf(task);
    const place = capacities.get(name) ?? readCapacity(table, task);
    capacities.set(name, place);
    return place;
  };
  const isClosed = closedWindows(table);
  return Promise.all(
    tasks.map(async (task): Promise<ScannerTask> => {
      if (task.status !== 'pending') return task;
      if (isWindowed(task) && (await isClosed(task.engagementId))) return { ...task, waitingReason: 'outside_window' };
      const { fit, isFull } = await capacityOf(task);
      const waitingSeconds = (nowMs() - Date.parse(task.updatedAt)) / 1000;
      const reason = reasonOf(fit, task.type, waitingSeconds);
      return { ...task, waitingReason: isFull && (!reason || reason === 'all_busy') ? ('quota' as const) : reason };
    }),
  );
}

/** Whether all windows of an engagement are closed now. Reads each engagement once. */
function closedWindows(table: Table): (engagementId: string) => Promise<boolean> {
  const known = new Map<string, Promise<boolean>>();
  const read = async (id: string) => {
    const [engagement] = await table.findMany(engagements, [id]);
    return engagement !== undefined && openUntil(engagement.windows, nowMs()) === undefined;
  };
  return (id) => {
    const closed = known.get(id) ?? read(id);
    known.set(id, closed);
    return closed;
  };
}

/** The counters of the scanners that fit a task, and whether its group or pool is at its limit. */
async function readCapacity(table: Table, task: ScannerTask): Promise<{ fit: Counts; isFull: boolean }> {
  if (isPoolTask(task)) return readPoolCapacity(table, task);
  const { zone, scannerGroupId } = task;
  const fit = readFit(table, zone, scannerGroupId);
  if (scannerGroupId === null) return { fit: await fit, isFull: false };
  const [group, running] = await Promise.all([
    table.find(scannerGroups, scannerGroupId),
    readUsage(table, { groupId: scannerGroupId, owner: EVERYONE }),
  ]);
  return { fit: await fit, isFull: leftOf(group?.maxConcurrentTasks ?? null, running) === 0 };
}

/** A closed or removed pool counts as a pool whose scanners are all offline. */
async function readPoolCapacity(table: Table, task: PoolTask): Promise<{ fit: Counts; isFull: boolean }> {
  const groupId = task.publicScannerGroupId;
  const [pool, fit, all, own] = await Promise.all([
    openPools(table.dynamo).rows(poolRows).find({ poolId: groupId }),
    readFit(holderOf(table, task), null, groupId),
    readUsage(table, { groupId, owner: EVERYONE }, true),
    readUsage(table, { groupId, owner: table.organizationId }, true),
  ]);
  if (!pool?.enabled || !fit.any) return { fit: { any: 1, [task.type]: 1 }, isFull: false };
  const isFull =
    leftOf(pool.maxConcurrentTasks, all) === 0 || leftOf(pool.maxConcurrentTasksPerOrganization, own) === 0;
  return { fit, isFull };
}
