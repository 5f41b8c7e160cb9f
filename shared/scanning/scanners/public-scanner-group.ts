import * as z from 'zod';
import { TaskType } from '#shared/assets/targets/scan-target.ts';
import { Id, live, objectNamed, recordFields } from '#shared/platform/http/records.ts';
import { count, defineEntity } from '#shared/platform/table/entity.ts';
import { Dispatch, GroupScanners, ScannerIds } from './scanner-group.ts';

/** A pool of the provider's scanners that its clients share. It is in the provider's organization. */
export const PublicScannerGroup = objectNamed('PublicScannerGroup', {
  ...recordFields,
  name: z.string().trim().min(1).max(120).meta({ example: 'Internet scanners, Frankfurt' }),
  description: z.string().max(2000).nullable().default(null),
  region: z.string().trim().min(1).max(120).nullable().default(null),
  scannerIds: ScannerIds.meta({ description: 'a change replaces them all' }),
  dispatch: Dispatch,
  taskTypes: z.array(TaskType).default([]).meta({ description: 'none: all' }),
  visibility: z.enum(['all', 'selected']).default('all'),
  organizationIds: z.array(Id).max(500).default([]).meta({ description: 'may use it when visibility is `selected`' }),
  maxConcurrentTasks: z.int().min(1).max(100_000).nullable().default(null),
  maxConcurrentTasksPerOrganization: z.int().min(1).max(100_000).nullable().default(null),
  enabled: z.boolean().default(true).meta({ description: 'false drains it: running tasks end, none starts' }),
  sourceIps: live(z.array(z.string()).optional()),
  scanners: live(GroupScanners.optional()),
});
export type PublicScannerGroup = z.infer<typeof PublicScannerGroup>;

export const publicScannerGroups = defineEntity<PublicScannerGroup, 'description' | 'organizationIds'>(
  PublicScannerGroup,
  {
    name: 'public-scanner-group',
    feedFields: [
      'name',
      'region',
      'visibility',
      'taskTypes',
      'maxConcurrentTasks',
      'maxConcurrentTasksPerOrganization',
      'enabled',
    ],
    facets: ({ visibility }) => count({ visibility }),
    search: ({ name, region }) => [name, region],
    unique: ({ name }) => ({ name: name.toLowerCase() }),
    detail: ['description', 'organizationIds'],
  },
);
