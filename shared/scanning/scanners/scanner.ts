import * as z from 'zod';
import { TASK_TYPES, TaskType } from '#shared/assets/targets/scan-target.ts';
import { clampedNumber, truncatedText } from '#shared/platform/http/bounded-field.ts';
import { Id, live, objectNamed, readOnly, recordFields, Timestamp } from '#shared/platform/http/records.ts';
import { caseless } from '#shared/platform/runtime/texts.ts';
import { defineEntity, type Tally } from '#shared/platform/table/entity.ts';
import { linkFields, machineFeedFields, machineSettings, machineState } from '../machines/machine.ts';

const ToolVersion = z.object({
  name: z.string().max(120),
  version: z.string().max(120).nullish(),
  formats: z.array(z.string().max(40)).max(50).default([]),
});

/** Groups, or pools, of one scanner. */
export const MAX_GROUPS_OF_SCANNER = 10;

/** The settings that an operator may change. */
const settings = {
  ...machineSettings,
  groupIds: z.array(Id).max(MAX_GROUPS_OF_SCANNER).default([]).meta({ description: 'the groups of the scanner' }),
  enabled: machineSettings.enabled.meta({
    description: 'false drains the scanner: it finishes its tasks and gets no new ones',
  }),
  taskTypes: z
    .array(TaskType)
    .default([...TASK_TYPES])
    .meta({ description: 'the types of task that the scanner gets' }),
  capacity: z
    .int()
    .min(1)
    .max(50)
    .nullable()
    .default(null)
    .meta({ description: 'tasks at once, at most 30; null: as many as the scanner asks for' }),
  maintenanceUntil: Timestamp.nullable()
    .default(null)
    .meta({ description: 'the scanner gets no new tasks until then' }),
  notes: z.string().max(2000).nullable().default(null),
};

/** An address from which a shared scanner scans, with the time of its validity. Changes are announced in advance. */
export const SourceIp = z.object({ cidr: z.string(), validFrom: Timestamp, validUntil: Timestamp.nullable() });
export type SourceIp = z.infer<typeof SourceIp>;

export const ScannerUpdate = z.object(settings).meta({ id: 'ScannerUpdate' });

const Cidrs = z.array(z.string().max(64)).max(20);

export const PublicScannerUpdate = ScannerUpdate.omit({ groupIds: true })
  .extend({
    publicGroupIds: z
      .array(Id)
      .max(MAX_GROUPS_OF_SCANNER)
      .default([])
      .meta({ description: 'the shared pools of the scanner; with a pool it takes no other tasks' }),
    sourceIps: Cidrs.default([]).meta({
      description: 'CIDRs from which the scanner scans; without any, the address of its last poll is shown',
    }),
  })
  .meta({ id: 'PublicScannerUpdate' });

/** A linked scanner: its settings, its description of itself, and its state. */
export const Scanner = objectNamed('Scanner', {
  ...recordFields,
  ...settings,
  publicGroupIds: readOnly(z.array(Id).optional()).meta({
    description: 'the shared pools of the scanner; with a pool it takes no other tasks',
    readOnly: true,
  }),
  sourceIps: readOnly(z.array(SourceIp).optional()),
  instanceId: machineState.instanceId,
  softwareVersion: machineState.softwareVersion,
  platform: machineState.platform,
  hostname: machineState.hostname,
  tools: readOnly(z.array(ToolVersion)),
  supportedTaskTypes: readOnly(z.array(TaskType)),
  status: machineState.status,
  versionStatus: readOnly(
    z.enum(['current', 'outdated', 'unsupported']).meta({
      description:
        "compared with the deployment's versions (config); an unsupported scanner finishes its tasks and gets no new ones",
    }),
  ),
  runningTasks: live(z.int().nonnegative()),
  firstSeenAt: readOnly(Timestamp.nullable()),
  lastSeenAt: machineState.lastSeenAt,
  remoteAddress: readOnly(z.string().nullable()),
  lastError: readOnly(z.string().nullable()),
});
export type Scanner = z.infer<typeof Scanner>;

export const scanners = defineEntity<Scanner>(Scanner, {
  name: 'scanner',
  together: true,
  feedFields: [...machineFeedFields, 'publicGroupIds', 'taskTypes', 'capacity', 'maintenanceUntil'],
  facets: ({ status, versionStatus }) => ({ [`status:${status}`]: 1, [`version:${versionStatus}`]: 1 }),
  tallies: (scanner) => [{ facet: 'zone', value: scanner.zone }, ...fitTallies(scanner), ...memberTallies(scanner)],
  search: ({ name, zone, hostname, platform, tags }) => [name, zone, hostname, platform, ...tags],
  indexed: ({ status, versionStatus, zone }) => ({ status, version: versionStatus, zone: zone && caseless(zone) }),
  unique: ({ instanceId }) => ({ instanceId }),
});

/** The counter rows that list the scanners of a group, so that this list agrees with the records of the scanners. */
export const memberFacet = (groupId: string): string => `member-${groupId}`;

function memberTallies({ id, status, groupIds, publicGroupIds = [] }: Scanner): Tally[] {
  const add = { n: 1, online: status === 'online' ? 1 : 0 };
  return [...groupIds, ...publicGroupIds].map((group) => ({ facet: memberFacet(group), value: id, add }));
}

/** The name that counts the scanners which may take tasks of a zone and a group ('' is no group). */
export const fitName = (zone: string | null, groupId: string | null): string => JSON.stringify([zone, groupId ?? '']);

export function readFitName(name: string): { zone: string | null; groupId: string | null } {
  const [zone, groupId] = z.tuple([z.string().nullable(), z.string()]).parse(JSON.parse(name));
  return { zone, groupId: groupId || null };
}

/**
 * Counts, per zone and group, the enabled scanners of a supported version by task type (`network`) and the online ones
 * among them (`on:network`). The waiting reason of a pending task comes from these counts. `all` counts every scanner
 * of a zone, in the row without a group.
 */
function fitTallies(scanner: Scanner): Tally[] {
  const {
    enabled,
    versionStatus,
    status,
    zone,
    groupIds,
    publicGroupIds = [],
    taskTypes,
    supportedTaskTypes,
  } = scanner;
  const all = { facet: 'fit', value: fitName(zone, null), add: { all: 1 } };
  if (!enabled || versionStatus === 'unsupported') return [all];
  const types = taskTypes.filter((type) => supportedTaskTypes.includes(type));
  const counted = ['any', ...types].flatMap((type) => (status === 'online' ? [type, `on:${type}`] : [type]));
  const add = Object.fromEntries(counted.map((name) => [name, 1]));
  if (publicGroupIds.length > 0)
    return [all, ...publicGroupIds.map((pool) => ({ facet: 'fit', value: fitName(null, pool), add }))];
  return [all, ...['', ...groupIds].map((group) => ({ facet: 'fit', value: fitName(zone, group), add }))];
}

/** A scanner of the provider in the view of the provider's staff. */
export const PublicScanner = Scanner.omit({ groupIds: true })
  .extend(PublicScannerUpdate.shape)
  .meta({ id: 'PublicScanner' });
export type PublicScanner = z.infer<typeof PublicScanner>;

const ReportedTask = z.object({
  taskId: Id,
  progress: clampedNumber(0, 1).default(0),
  message: truncatedText(500).optional(),
});

export const ReportFile = z.object({
  format: z.string().max(40).meta({ description: 'a report format, as imports name it, or auto to recognise it' }),
  content: z.string().optional(),
  uploadId: z.string().optional(),
  encoding: z.enum(['utf8', 'base64', 'gzip+base64']).default('utf8'),
});

/** The outcome of a task, with the tool's report files. */
export const TaskResult = z.object({
  taskId: Id,
  outcome: z.enum(['completed', 'failed', 'cancelled']),
  startedAt: Timestamp.optional(),
  finishedAt: Timestamp.optional(),
  targetsReached: z.array(z.string().max(2000)).max(10_000).optional(),
  targetsFailed: z
    .array(z.object({ value: z.string().max(2000), reason: z.string().max(500) }))
    .max(10_000)
    .optional(),
  error: z.object({ code: z.string().max(120), message: z.string().max(2000) }).optional(),
  reports: z.array(ReportFile).max(50).default([]),
});
export type TaskResult = z.infer<typeof TaskResult>;

/** The body of all three operations of a scanner's communication; each operation requires other fields. */
export const ScannerDataSource = objectNamed('ScannerDataSource', {
  ...linkFields,
  version: z.string().max(120).optional(),
  platform: z.string().max(120).optional(),
  hostname: z.string().max(255).optional(),
  taskTypes: z
    .array(z.string().max(60))
    .max(50)
    .optional()
    .meta({ description: 'the types of task that the scanner can do; absent: all' }),
  tools: z.array(ToolVersion).max(50).optional(),
  capacity: z.int().min(0).max(50).optional().meta({
    description: 'when linking: tasks at once; when polling: tasks that the scanner can take in addition now',
  }),
  running: z.array(ReportedTask).max(200).optional(),
  results: z
    .array(TaskResult.or(z.looseObject({})))
    .min(1)
    .max(100)
    .optional()
    .meta({
      description:
        'each result is checked alone: an invalid result is answered as refused, and the others are accepted',
    }),
});
export type ScannerDataSource = z.infer<typeof ScannerDataSource>;

/** The types in a machine's list that this release knows. A machine without a list can do every type. */
export function knownTaskTypes(named: readonly string[] | undefined): TaskType[] {
  return named === undefined ? [...TASK_TYPES] : TASK_TYPES.filter((type) => named.includes(type));
}
