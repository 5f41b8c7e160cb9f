import * as z from 'zod';
import { ScanTarget, TASK_TYPES, TaskType } from '#shared/assets/targets/scan-target.ts';
import { Id, objectNamed, readOnly, recordFields, Timestamp } from '#shared/platform/http/records.ts';
import type { StateMachine } from '#shared/platform/runtime/state-machine.ts';
import { isFinal } from '#shared/platform/runtime/state-machine.ts';
import { caseless } from '#shared/platform/runtime/texts.ts';
import { defineEntity, type Tally } from '#shared/platform/table/entity.ts';
import { byTenDays, dayOf, hourTally, spanOf } from '#shared/reports/report/time-measures.ts';
import { FindingChanges } from '../engagements/finding-changes.ts';
import { fitName } from '../scanners/scanner.ts';
import { CodeScan, codeScanPlace } from './code-scan.ts';

export const SCANNER_TASK_STATUSES = ['pending', 'running', 'completed', 'failed', 'cancelled'] as const;
type ScannerTaskStatus = (typeof SCANNER_TASK_STATUSES)[number];

export const scannerTaskStates: StateMachine<
  ScannerTaskStatus,
  'lease' | 'give back' | 'complete' | 'fail' | 'cancel'
> = {
  pending: { lease: 'running', cancel: 'cancelled' },
  running: { 'give back': 'pending', complete: 'completed', fail: 'failed', cancel: 'cancelled' },
  completed: {},
  failed: {},
  cancelled: {},
};

const WAITING_REASONS = [
  'no_scanner_in_zone',
  'no_scanner_for_type',
  'all_offline',
  'all_busy',
  'outside_window',
  'quota',
] as const;
export type WaitingReason = (typeof WAITING_REASONS)[number];

const Counts = z.object({
  created: z.int(),
  updated: z.int(),
  unchanged: z.int(),
  closed: z.int(),
  reopened: z.int(),
});

/** One piece of work for one scanner: a type of scan of one target. */
export const ScannerTask = objectNamed('ScannerTask', {
  ...recordFields,
  type: TaskType,
  target: ScanTarget,
  exclusions: z
    .array(ScanTarget)
    .optional()
    .meta({ description: 'names and pages within the target that its scanner must not touch' }),
  parameters: z.record(z.string(), z.unknown()),
  zone: z.string().nullable(),
  scannerGroupId: Id.nullable(),
  publicScannerGroupId: readOnly(Id.nullish()).meta({ description: 'the shared pool of the task', readOnly: true }),
  providerId: readOnly(Id.nullish()).meta({
    description: 'the organization that owns the shared pool',
    readOnly: true,
  }),
  status: z.enum(SCANNER_TASK_STATUSES),
  waitingReason: readOnly(z.enum(WAITING_REASONS).optional()).meta({
    description:
      'why the task is still pending; absent when a scanner will take it with its next poll. `all_busy`: suitable scanners are ' +
      'online, but all are busy or in maintenance (`maintenanceUntil`).',
    readOnly: true,
  }),
  attempt: z.int().nonnegative().meta({ description: 'how often it was leased' }),
  maxAttempts: z.int().positive(),
  scanner: z.object({ id: Id, name: z.string() }).nullable(),
  engagementId: Id.nullable().meta({ description: 'null: a scan of a branch (`codeScan`)' }),
  runId: Id.nullable(),
  codeScan: readOnly(CodeScan.optional()),
  progress: z.number().min(0).max(1).nullable(),
  leaseExpiresAt: Timestamp.nullable(),
  cancelRequestedAt: Timestamp.nullable(),
  startedAt: Timestamp.nullable(),
  finishedAt: Timestamp.nullable(),
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
  ingestTaskId: Id.nullable().meta({
    description: 'the task that reads its first report; the scanner follows it at /api/v1/tasks',
  }),
  ingestTaskIds: z.array(Id),
  windowed: z.literal(true).optional().meta({ description: 'it starts only within the windows of its engagement' }),
  windowEndsAt: Timestamp.optional().meta({ description: 'end of the window in which it was leased' }),
  credentialIds: z.array(Id).optional().meta({ description: 'its scanner may read their secrets' }),
  result: readOnly(Counts.extend({ bySeverity: FindingChanges.optional() }).optional()),
});
export type ScannerTask = z.infer<typeof ScannerTask>;

/** A task that starts only within the windows of its engagement. */
export type WindowedTask = ScannerTask & { engagementId: string; windowed: true };
export const isWindowed = (task: ScannerTask): task is WindowedTask =>
  task.windowed === true && task.engagementId !== null;

/** The engagements of tasks, each once. */
export const engagementIdsOf = (tasks: readonly Pick<ScannerTask, 'engagementId'>[]): string[] => [
  ...new Set(tasks.flatMap(({ engagementId }) => engagementId ?? [])),
];

/** The queue of a task: only scanners of its zone and group with its type take from it. */
export const scannerQueue = (type: string, zone: string | null, groupId: string | null): string =>
  `${type}|${groupId ?? ''}|${zone === null ? '' : `=${zone}`}`;

export function parseScannerQueue(name: string): { type: string; zone: string | null; groupId: string | null } {
  const [type = '', group = '', ...rest] = name.split('|');
  const zone = rest.join('|');
  return { type, zone: zone === '' ? null : zone.slice(1), groupId: group || null };
}

type Queued = Pick<ScannerTask, 'type' | 'zone' | 'scannerGroupId' | 'publicScannerGroupId'>;

/** Tasks of a pool wait in no queue of their organization; for them this name only separates counters. */
export const scannerQueueOf = ({ type, zone, scannerGroupId, publicScannerGroupId }: Queued): string =>
  scannerQueue(type, publicScannerGroupId ? null : zone, publicScannerGroupId ?? scannerGroupId);

/** The group or pool of a task; undefined when any scanner may take it. */
export const groupOfTask = ({
  scannerGroupId,
  publicScannerGroupId,
}: Pick<ScannerTask, 'scannerGroupId' | 'publicScannerGroupId'>): string | undefined =>
  publicScannerGroupId ?? scannerGroupId ?? undefined;

/** Scanners and the engagement's worker write at once; figures with 1 and 16 shards are in bench/leases.ts. */
export const SHARDS = 16;

/** The place of the rows of tasks: enough to read their counters. */
export const scannerTaskPlace = { name: 'scan-task', shards: SHARDS } as const;

export const scannerTasks = defineEntity<ScannerTask>(ScannerTask, {
  ...scannerTaskPlace,
  facets: ({ status }) => ({ [`status:${status}`]: 1 }),
  tallies: (task) => [
    { facet: 'type', value: task.type },
    { facet: 'zone', value: task.zone },
    ...engagementTallies(task),
    ...waitingTallies(task),
    ...failureTallies(task),
    ...groupTallies(task),
    ...poolTallies(task),
  ],
  parents: { engagement: { of: ({ engagementId }) => engagementId ?? undefined } },
  search: ({ target, type, zone }) => [target.value, type, zone],
  /** A lease and an end move one bit each, because running tasks are those without a mark of a status. */
  indexed: ({ status, type, zone, ...task }) => ({
    status: status === 'running' ? undefined : status,
    type,
    zone: zone === null ? null : caseless(zone),
    group: groupOfTask(task) ?? null,
  }),
  broad: ['status', 'type', 'zone'],
  ordered: ({ createdAt }) => ({ created: dayOf(createdAt) }),
  ranks: ({ status, createdAt }) => ({ oldest: status === 'pending' ? oldestFirst(createdAt) : undefined }),
  /** One scan of a commit by one type of task, until it ends, also while it waits again after a lost lease. */
  unique: ({ status, type, codeScan }) => ({
    codeScan: codeScan && !isFinal(scannerTaskStates, status) ? codeScanPlace(codeScan, type) : null,
  }),
});

/** A rank lists the highest number first: the oldest task has the highest. */
const LATEST_SECONDS = 2 ** 40 - 1;
const oldestFirst = (createdAt: string): number => LATEST_SECONDS - Math.floor(Date.parse(createdAt) / 1000);
/** The time since which a task with this rank waits, in seconds since the epoch. */
export const waitingSince = (rank: number): number => LATEST_SECONDS - rank;

const engagementTallies = (task: ScannerTask): Tally[] =>
  task.engagementId === null ? [] : [{ facet: 'engagement', value: task.engagementId, add: engagementCounts(task) }];

/** Counts the tasks of an engagement by status, and waiting tasks by queue. */
const engagementCounts = (task: ScannerTask): Record<string, number> => ({
  [task.status]: 1,
  ...(task.status === 'pending' && !task.publicScannerGroupId && { [`waiting:${scannerQueueOf(task)}`]: 1 }),
});

/** Counts the waiting and running tasks of each group or pool. */
function groupTallies(task: ScannerTask): Tally[] {
  const group = groupOfTask(task);
  return group && !isFinal(scannerTaskStates, task.status)
    ? [{ facet: 'group', value: group, add: { [task.status]: 1 } }]
    : [];
}

/** The names of the counters of waiting tasks: short, because there are 16 rows of them for each zone and group. */
const WAITING_NAMES: Record<TaskType, string> = {
  network: 'n',
  web: 'w',
  sast: 's',
  dependencies: 'd',
  secrets: 'e',
  container: 'c',
  cloud: 'l',
  configuration: 'g',
  tls: 't',
};

/** The waiting tasks of a zone and group by type. */
export const waitingByType = (counts: Readonly<Record<string, number>>): [type: TaskType, waiting: number][] =>
  TASK_TYPES.map((type) => [type, counts[WAITING_NAMES[type]] ?? 0]);

/** Counts the tasks that wait for the organization's own scanners: by zone and group, with a counter per type. */
function waitingTallies({ status, type, zone, scannerGroupId, publicScannerGroupId }: ScannerTask): Tally[] {
  if (status !== 'pending' || publicScannerGroupId) return [];
  return [{ facet: 'queued', value: fitName(zone, scannerGroupId), add: { [WAITING_NAMES[type]]: 1 } }];
}

/** Adds up by the day for how many seconds (`s`) shared scanners worked on ended tasks, from the lease to the end. */
function poolTallies({ publicScannerGroupId, startedAt, finishedAt }: ScannerTask): Tally[] {
  if (!publicScannerGroupId || !startedAt || !finishedAt) return [];
  const { add, tallies } = byTenDays('pool');
  for (const { at, seconds } of spanOf(startedAt, finishedAt)) add(at, { s: seconds });
  return tallies();
}

/** Counts failed tasks by the hour. */
function failureTallies({ status, finishedAt, updatedAt }: ScannerTask): Tally[] {
  if (status !== 'failed') return [];
  return [hourTally('failed', finishedAt ?? updatedAt)];
}
