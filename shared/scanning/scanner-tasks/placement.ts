import { isPublicTarget, NOT_PUBLIC_PROBLEM } from '#shared/assets/targets/public.ts';
import { conflict, invalid } from '#shared/platform/runtime/errors.ts';
import type { Table } from '#shared/platform/table/table.ts';
import type { Engagement } from '../engagements/engagement.ts';
import { scannerGroups } from '../scanners/scanner-group.ts';
import type { PlannedTask } from './plan.ts';
import { isVisible, openPools, type Pool, poolRows, visiblePools } from './pools.ts';
import { routeTask } from './routing.ts';
import type { ScannerTask } from './scanner-task.ts';

/** Scanner groups of one organization: all of them are read to place tasks. */
export const MAX_GROUPS = 500;

export type TaskPlacement = Pick<ScannerTask, 'scannerGroupId' | 'publicScannerGroupId' | 'providerId'>;
type ChosenScanners = Pick<Engagement, 'scannerGroupId' | 'publicScannerGroupId' | 'targets'>;

/**
 * The queue of each task of a run: the queue of the pool or group that the engagement names, otherwise of the group
 * that serves the target, otherwise of any suitable scanner. A run in progress is finished even if its pool was closed
 * to the organization meanwhile.
 * @throws conflict when the group or pool was removed, when the pool was closed to the organization before the run, or
 * when
 * a target is not allowed for a pool by the current rules
 */
export async function placementOf(
  table: Table,
  { scannerGroupId, publicScannerGroupId, targets }: ChosenScanners,
  { hasBegun = false } = {},
): Promise<(planned: PlannedTask) => TaskPlacement> {
  if (publicScannerGroupId) {
    const { poolId, providerId } = await poolOfRun(table, publicScannerGroupId, hasBegun);
    const near = hasBegun ? undefined : targets.find((target) => !isPublicTarget(target));
    if (near) throw conflict(`The target ${near.value} ${NOT_PUBLIC_PROBLEM}.`);
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

/** A pool that is closed (`enabled: false`) is accepted: its tasks wait until it opens. */
async function poolOfRun({ dynamo, organizationId }: Table, poolId: string, hasBegun: boolean): Promise<Pool> {
  const pool = await openPools(dynamo).rows(poolRows).find({ poolId }, true);
  if (!pool) throw conflict(`The shared pool ${poolId} was removed. Name another pool, or scanners of your own.`);
  if (hasBegun || isVisible(pool, organizationId)) return pool;
  const message = `The shared pool ${pool.name} (${poolId}) is no longer open to this organization.`;
  throw conflict(`${message} Ask its provider, or name another pool or scanners of your own.`);
}

async function findPool(table: Table, id: string): Promise<Pool> {
  const pool = (await visiblePools(table)).find(({ poolId }) => poolId === id);
  if (!pool) throw invalid('publicScannerGroupId', 'must be the id of a shared pool that you may use');
  return pool;
}

type PlacementRequest = ChosenScanners & Pick<Engagement, 'taskTypes'>;

/** @throws validation_failed for a group or pool that does not exist, or that cannot do the tasks */
export async function assertPlacement(table: Table, wanted: PlacementRequest): Promise<void> {
  const { scannerGroupId, publicScannerGroupId, targets, taskTypes } = wanted;
  if (scannerGroupId && publicScannerGroupId)
    throw invalid('publicScannerGroupId', 'give scannerGroupId or publicScannerGroupId, not both');
  if (scannerGroupId && !(await table.find(scannerGroups, scannerGroupId)))
    throw invalid('scannerGroupId', 'must be the id of a scanner group of your organization');
  if (!publicScannerGroupId) return;
  const pool = await findPool(table, publicScannerGroupId);
  const zoned = targets.findIndex(({ zone }) => zone !== null);
  if (zoned >= 0) throw invalid(`targets.${zoned}.zone`, 'must be null: a shared pool reaches no zone');
  const near = targets.findIndex((target) => !isPublicTarget(target));
  if (near >= 0) throw invalid(`targets.${near}.value`, NOT_PUBLIC_PROBLEM);
  const unknown = taskTypes.findIndex((type) => pool.taskTypes.length > 0 && !pool.taskTypes.includes(type));
  if (unknown >= 0) throw invalid(`taskTypes.${unknown}`, `must be one of ${pool.taskTypes.join(', ')}`);
}
