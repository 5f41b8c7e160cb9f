import * as z from 'zod';
import { TaskType } from '#shared/assets/targets/scan-target.ts';
import { Id, live, objectNamed, recordFields } from '#shared/platform/http/records.ts';
import { defineEntity } from '#shared/platform/table/entity.ts';

/** How the scanners of a group share the waiting tasks. Scanners ask for tasks: docs/decisions/0009-pools.md. */
export const Dispatch = z.enum(['round_robin', 'least_loaded']).default('round_robin');
export type Dispatch = z.infer<typeof Dispatch>;

/** Scanners of one group. Each costs one small write to join or leave. */
const MAX_MEMBERS = 500;

const Limit = z.int().min(1).max(100_000).nullable().default(null);
export const ScannerIds = z.array(Id).max(MAX_MEMBERS).default([]);
export const GroupScanners = z.object({ total: z.int().nonnegative(), online: z.int().nonnegative() });

/** Scanners that work together, for engagements that name them and for targets that they serve. */
export const ScannerGroup = objectNamed('ScannerGroup', {
  ...recordFields,
  name: z.string().trim().min(1).max(120).meta({ example: 'Office network' }),
  description: z.string().max(2000).nullable().default(null),
  zone: z.string().trim().min(1).max(120).nullable().default(null).meta({ description: 'zone of its targets' }),
  scannerIds: ScannerIds.meta({ description: 'a change replaces them all' }),
  dispatch: Dispatch,
  routing: z
    .array(z.string().max(255))
    .max(100)
    .default([])
    .meta({
      description: 'targets that it serves: CIDRs, hosts, `*.domain`; the most specific route of all groups wins',
      example: ['10.1.0.0/16', '*.office.example.com'],
    }),
  taskTypes: z.array(TaskType).default([]).meta({ description: 'task types for targets that it serves; none: all' }),
  maxConcurrentTasks: Limit,
  tags: z.array(z.string().min(1).max(60)).max(50).default([]),
  scanners: live(GroupScanners.optional()),
  tasks: live(z.object({ pending: z.int().nonnegative(), running: z.int().nonnegative() }).optional()),
});
export type ScannerGroup = z.infer<typeof ScannerGroup>;

/** Each scanner stores its own groups; the stored list `scannerIds` is empty. */
export const scannerGroups = defineEntity<ScannerGroup>(ScannerGroup, {
  name: 'scanner-group',
  feedFields: ['name', 'zone', 'scannerIds', 'dispatch', 'routing', 'taskTypes', 'maxConcurrentTasks', 'tags'],
  search: ({ name, zone, tags }) => [name, zone, ...tags],
  unique: ({ name }) => ({ name: name.toLowerCase() }),
});
