import { isVisible, openPools, type Pool, poolRows, visiblePools } from '../dispatch/pools.ts';
import type { Engagement } from '../entities/engagement.ts';
import { scannerGroups } from '../entities/scanner-group.ts';
import type { ScannerTask } from '../entities/scanner-task.ts';
import { conflict, invalid } from '../runtime/errors.ts';
import type { Table } from '../table/table.ts';
import { isNextToScanner } from '../targets/targets.ts';
import type { PlannedTask } from './plan.ts';
import { routeTask } from './routing.ts';

/** Scanner groups of an organization: all are read where tasks are made. */
export const MAX_GROUPS = 500;

export type TaskPlacement = Pick<ScannerTask, 'scannerGroupId' | 'publicScannerGroupId' | 'providerId'>;
type ChosenScanners = Pick<Engagement, 'scannerGroupId' | 'publicScannerGroupId'>;

/**
 * Where each task of a run waits: in the pool or group that the engagement names, else in the group that serves its
 * target, else where any scanner that fits takes it. A run that has begun is made to its end also in a pool that was
 * taken away from the organization meanwhile.
 * @throws conflict when the group or pool was removed, or the pool taken away before the run
 */
export async function placementOf(
  table: Table,
  { scannerGroupId, publicScannerGroupId }: ChosenScanners,
  { hasBegun = false } = {},
): Promise<(planned: PlannedTask) => TaskPlacement> {
  if (publicScannerGroupId) {
    const { poolId, providerId } = await poolOfRun(table, publicScannerGroupId, hasBegun);
    return () => ({ scannerGroupId: null, publicScannerGroupId: poolId, providerId });
  }
  if (scannerGroupId) {
    if (!(await table.find(scannerGroups, scannerGroupId, true)))
      throw conflict(`The scanner group ${scannerGroupId} was removed. Name another group, or none.`);
    return () => ({ scannerGroupId });
  }
  const { data: groups } = await table.list(scannerGroups, { paginateFrom: 0, paginateSize: MAX_GROUPS });
  const routed = groups.filter(({ routing }) => routing.length > 0);
  return (planned) => ({ scannerGroupId: routeTask(routed, planned) ?? null });
}

/** One that is closed (`enabled: false`) will open again: its tasks wait for that. */
async function poolOfRun({ dynamo, organizationId }: Table, poolId: string, hasBegun: boolean): Promise<Pool> {
  const pool = await openPools(dynamo).rows(poolRows).find({ poolId }, true);
  if (!pool) throw conflict(`The shared pool ${poolId} was removed. Name another pool, or scanners of your own.`);
  if (hasBegun || isVisible(pool, organizationId)) return pool;
  const message = `The shared pool ${pool.name} (${poolId}) is no longer open to this organization.`;
  throw conflict(`${message} Ask its provider, or name another pool or scanners of your own.`);
}

async function findPool(table: Table, id: string): Promise<Pool> {
  const pool = (await visiblePools(table)).find(({ poolId }) => poolId === id);
  if (!pool) throw invalid('publicScannerGroupId', 'names no shared pool that you may use');
  return pool;
}

type PlacementRequest = ChosenScanners & Pick<Engagement, 'targets' | 'taskTypes'>;

/** @throws validation_failed for a group or pool that does not exist, or that cannot do what is asked */
export async function assertPlacement(table: Table, wanted: PlacementRequest): Promise<void> {
  const { scannerGroupId, publicScannerGroupId, targets, taskTypes } = wanted;
  if (scannerGroupId && publicScannerGroupId)
    throw invalid('publicScannerGroupId', 'name either a scanner group of your own or a shared pool');
  if (scannerGroupId && !(await table.find(scannerGroups, scannerGroupId)))
    throw invalid('scannerGroupId', 'names no scanner group');
  if (!publicScannerGroupId) return;
  const pool = await findPool(table, publicScannerGroupId);
  const zoned = targets.findIndex(({ zone }) => zone !== null);
  if (zoned >= 0) throw invalid(`targets.${zoned}.zone`, 'a shared pool stands in none of your zones');
  const near = targets.findIndex(isNextToScanner);
  if (near >= 0)
    throw invalid(`targets.${near}.value`, 'is the shared scanner itself or its own network, not something of yours');
  const unknown = taskTypes.findIndex((type) => pool.taskTypes.length > 0 && !pool.taskTypes.includes(type));
  if (unknown >= 0) throw invalid(`taskTypes.${unknown}`, `this pool does ${pool.taskTypes.join(', ')}`);
}
