import type { TaskType } from '#shared/assets/targets/scan-target.ts';
import type { Dynamo } from '#shared/platform/runtime/dynamo.ts';
import { longId, newId } from '#shared/platform/runtime/ids.ts';
import type { Write } from '#shared/platform/table/io/commit.ts';
import { defineRow, putWrite } from '#shared/platform/table/io/row.ts';
import { GLOBAL_SCOPE } from '#shared/platform/table/layout/keys.ts';
import { openTable, type Table } from '#shared/platform/table/table.ts';
import type { PublicScannerGroup } from '../scanners/public-scanner-group.ts';
import type { ScannerTask } from './scanner-task.ts';

/** Pools of one deployment: one read lists all of them to a client. */
export const MAX_POOLS = 200;

/** The copy of a pool's record that its clients and scanners read; each change of the record renews the copy. */
export type Pool = Pick<
  PublicScannerGroup,
  'name' | 'description' | 'region' | 'dispatch' | 'taskTypes' | 'visibility' | 'organizationIds' | 'enabled'
> &
  Pick<PublicScannerGroup, 'maxConcurrentTasks' | 'maxConcurrentTasksPerOrganization'> & {
    poolId: string;
    providerId: string;
  };

export const poolRows = defineRow<Pool, Pick<Pool, 'poolId'>>({
  name: 'pool',
  about: 'a shared pool as clients and scanners know it; global key scope',
  key: ({ poolId }) => ['all', poolId],
});

/** The write of a pool's copy, which clients and scanners read, for the transaction that changes the record. */
export function poolWrite({ organizationId }: Table, group: PublicScannerGroup): Write {
  const { name, description, region, dispatch, taskTypes, visibility, organizationIds, enabled } = group;
  const { maxConcurrentTasks, maxConcurrentTasksPerOrganization } = group;
  const row: Pool = {
    poolId: group.id,
    providerId: organizationId,
    name,
    description,
    region,
    dispatch,
    taskTypes,
    visibility,
    organizationIds,
    enabled,
    maxConcurrentTasks,
    maxConcurrentTasksPerOrganization,
  };
  return putWrite(GLOBAL_SCOPE, poolRows, { row });
}

export const openPools = (dynamo: Dynamo): Table => openTable(dynamo, GLOBAL_SCOPE);

export const isVisible = ({ visibility, organizationIds }: Pool, organizationId: string): boolean =>
  visibility === 'all' || organizationIds.includes(organizationId);

/** The pools that an organization may use, in order of their creation. */
export async function visiblePools({ dynamo, organizationId }: Table): Promise<Pool[]> {
  const pools = await openPools(dynamo).rows(poolRows).query('all');
  return pools.filter((pool) => isVisible(pool, organizationId));
}

/** The lane of a pool for one type of task. */
export const laneOf = (poolId: string, type: TaskType): string => `${poolId}|${type}`;

/** An organization with tasks that wait in a lane. The order of these rows is the ring of the lane. */
export type Turn = { lane: string; organizationId: string; stamp: string };

export const turns = defineRow<Turn, Pick<Turn, 'lane' | 'organizationId'>>({
  name: 'pool-turn',
  about: 'an organization that has tasks waiting in a lane; global key scope',
  key: ({ lane, organizationId }) => [lane, organizationId],
});

/** The organization that had the last turn in a ring. */
export type Cursor = { lane: string; organizationId: string };
export const cursors = defineRow<Cursor, Pick<Cursor, 'lane'>>({
  name: 'pool-cursor',
  about: 'the organization that was served last in a ring of lanes; global key scope',
  key: ({ lane }) => [lane],
});

/** The organization of a task that a shared machine was given. Results follow this row, never the request. */
export type SharedLease = { machineId: string; taskId: string; organizationId: string; expiresAt: string };

export const sharedLeases = defineRow<SharedLease, Pick<SharedLease, 'machineId' | 'taskId'>>({
  name: 'shared-lease',
  about: 'the organization of a task that a shared machine holds or held',
  key: ({ machineId, taskId }) => [machineId, taskId],
  expiresAt: ({ expiresAt }) => expiresAt,
});

export type PoolTask = ScannerTask & { publicScannerGroupId: string; providerId: string };

export const isPoolTask = <T extends ScannerTask>(task: T): task is T & PoolTask =>
  Boolean(task.publicScannerGroupId && task.providerId);

export const laneOfTask = ({ publicScannerGroupId, type }: PoolTask): string => laneOf(publicScannerGroupId, type);

/** The queue of one organization in a lane, in the key scope of all pools. */
export const poolQueue = (lane: string, organizationScope: string): string => `${lane}|${organizationScope}`;

/**
 * An organization whose tasks for a pool may wait for a window, outside of queues. The row stays as long as the pool.
 */
type WindowedClient = { poolId: string; organizationId: string };

export const windowedClients = defineRow<WindowedClient>({
  name: 'pool-windowed',
  about: 'an organization whose tasks for a pool may wait outside their windows; global key scope',
  key: ({ poolId, organizationId }) => [poolId, organizationId],
});

export const windowedClientWrites = (scope: string, tasks: readonly PoolTask[]): Write[] =>
  [...new Set(tasks.map(({ publicScannerGroupId }) => publicScannerGroupId))].map((poolId) =>
    putWrite(GLOBAL_SCOPE, windowedClients, { row: { poolId, organizationId: longId(scope) } }),
  );

/** The writes that give an organization its turns, for the transaction that queues its tasks. */
export const turnWrites = (scope: string, lanes: readonly string[]): Write[] =>
  [...new Set(lanes)].map((lane) =>
    putWrite(GLOBAL_SCOPE, turns, { row: { lane, organizationId: longId(scope), stamp: newId().slice(-8) } }),
  );
