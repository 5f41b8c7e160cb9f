import { scannerOf } from '#functions/scanning/link/machines.ts';
import type { Dynamo } from '#shared/platform/runtime/dynamo.ts';
import type { Draft } from '#shared/platform/table/table.ts';
import { openPools, type Pool, poolRows } from '#shared/scanning/scanner-tasks/pools.ts';
import type { Scanner } from '#shared/scanning/scanners/scanner.ts';
import type { ScannerGroup } from '#shared/scanning/scanners/scanner-group.ts';

const versions = { recommended: undefined, minimum: undefined };

/** A scanner as linking makes it, for tests and benches alike. */
export const scannerDraft = (more: Partial<Scanner> = {}): Draft<Scanner> => ({
  ...scannerOf({ taskTypes: ['network'] }, { remoteAddress: '', versions }).draft({
    name: 'scanner',
    instanceId: null,
    zone: null,
    groupIds: [],
  }),
  remoteAddress: null,
  ...more,
});

/** A group as its creation makes it, before its scanners say that they are in it. */
export const scannerGroupDraft = (more: Partial<ScannerGroup> = {}): Draft<ScannerGroup> => ({
  name: 'Office',
  description: null,
  zone: null,
  scannerIds: [],
  dispatch: 'round_robin',
  routing: [],
  taskTypes: [],
  maxConcurrentTasks: null,
  tags: [],
  ...more,
});

/** A pool as its clients and scanners know it, open to all unless told otherwise. */
export const putPool = (dynamo: Dynamo, pool: Pick<Pool, 'poolId' | 'providerId'> & Partial<Pool>) =>
  openPools(dynamo)
    .rows(poolRows)
    .put({
      name: 'Frankfurt',
      description: null,
      region: null,
      dispatch: 'round_robin',
      taskTypes: [],
      visibility: 'all',
      organizationIds: [],
      enabled: true,
      maxConcurrentTasks: null,
      maxConcurrentTasksPerOrganization: null,
      ...pool,
    });
