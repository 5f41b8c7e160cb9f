import type { Engagement } from '../entities/engagement.ts';
import { scannerGroups } from '../entities/scanner-group.ts';
import type { ScannerTask } from '../entities/scanner-task.ts';
import { invalid } from '../http/errors.ts';
import type { Table } from '../table/table.ts';
import type { Planned } from './plan.ts';
import { type Pool, visiblePools } from './pools.ts';
import { routeTask } from './routing.ts';

/** Scanner groups of an organization: all are read where tasks are made. */
export const MAX_GROUPS = 500;

export type Place = Pick<ScannerTask, 'scannerGroupId' | 'publicScannerGroupId' | 'providerId'>;
type Asked = Pick<Engagement, 'scannerGroupId' | 'publicScannerGroupId'>;

/**
 * Where each task of an engagement waits: in the pool or group that the engagement names, else in the group that serves
 * its target, else where any scanner that fits takes it.
 * @throws validation_failed when the pool was taken away
 */
export async function placementOf(table: Table, asked: Asked): Promise<(planned: Planned) => Place> {
  const { scannerGroupId, publicScannerGroupId } = asked;
  if (publicScannerGroupId) {
    const { poolId, providerId } = await findPool(table, publicScannerGroupId);
    return () => ({ scannerGroupId: null, publicScannerGroupId: poolId, providerId });
  }
  if (scannerGroupId) return () => ({ scannerGroupId });
  const { data: groups } = await table.list(scannerGroups, { paginateFrom: 0, paginateSize: MAX_GROUPS });
  const routed = groups.filter(({ routing }) => routing.length > 0);
  return (planned) => ({ scannerGroupId: routeTask(routed, planned) ?? null });
}

async function findPool(table: Table, id: string): Promise<Pool> {
  const pool = (await visiblePools(table)).find(({ poolId }) => poolId === id);
  if (!pool) throw invalid('publicScannerGroupId', 'names no shared pool that you may use');
  return pool;
}

type Wanted = Asked & Pick<Engagement, 'targets' | 'taskTypes'>;

/** @throws validation_failed for a group or pool that does not exist, or that cannot do what is asked */
export async function assertPlacement(table: Table, wanted: Wanted): Promise<void> {
  const { scannerGroupId, publicScannerGroupId, targets, taskTypes } = wanted;
  if (scannerGroupId && publicScannerGroupId)
    throw invalid('publicScannerGroupId', 'name either a scanner group of your own or a shared pool');
  if (scannerGroupId && !(await table.find(scannerGroups, scannerGroupId)))
    throw invalid('scannerGroupId', 'names no scanner group');
  if (!publicScannerGroupId) return;
  const pool = await findPool(table, publicScannerGroupId);
  const zoned = targets.findIndex(({ zone }) => zone !== null);
  if (zoned >= 0) throw invalid(`targets.${zoned}.zone`, 'a shared pool stands in none of your zones');
  const unknown = taskTypes.findIndex((type) => pool.taskTypes.length > 0 && !pool.taskTypes.includes(type));
  if (unknown >= 0) throw invalid(`taskTypes.${unknown}`, `this pool does ${pool.taskTypes.join(', ')}`);
}
