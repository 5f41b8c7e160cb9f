import { makeTasks } from '#functions/workers/engagements/make-tasks.ts';
import { openBucket } from '#shared/bucket.ts';
import { type Engagement, engagements } from '#shared/entities/engagement.ts';
import { type Scanner, scanners, TASK_TYPES } from '#shared/entities/scanner.ts';
import { readSettings } from '#shared/env.ts';
import { newTask, taskRows } from '#shared/jobs/task.ts';
import type { Ports } from '#shared/ports.ts';
import { openSecrets } from '#shared/secrets.ts';
import type { Dynamo } from '#shared/table/client.ts';
import type { Draft, Table } from '#shared/table/table.ts';

/** Ports of which only the table is reached: tasks end here without reports, and nothing listens to messages. */
export function portsOf(dynamo: Dynamo): Ports {
  const settings = readSettings({
    TABLE_NAME: dynamo.tableName,
    BUCKET_NAME: 'unused',
    QUEUE_URL_PREFIX: '',
    TOKEN_ISSUER: 'urn:exposure:bench',
    SIGNING_SECRET: 'unused',
    SEALING_SECRET: 'unused',
    BASE_URL: '',
  });
  const queues = { send: async () => undefined, check: async () => undefined };
  return { settings, dynamo, queues, bucket: openBucket(settings), secrets: openSecrets(settings) };
}

/** Scanners as they are after linking. @returns their ids */
export async function linkScanners(table: Table, count: number): Promise<string[]> {
  const ids: string[] = [];
  while (ids.length < count) {
    const some = Array.from({ length: Math.min(50, count - ids.length) }, (_, n) => scannerDraft(ids.length + n));
    ids.push(...(await Promise.all(some.map(async (draft) => (await table.create(scanners, draft)).id))));
  }
  return ids;
}

const scannerDraft = (n: number): Draft<Scanner> => ({
  name: `scanner-${n}`,
  zone: null,
  groupIds: [],
  tags: [],
  enabled: true,
  taskTypes: [...TASK_TYPES],
  capacity: null,
  maintenanceUntil: null,
  notes: null,
  instanceId: null,
  softwareVersion: null,
  platform: null,
  hostname: null,
  tools: [],
  supportedTaskTypes: ['web'],
  status: 'never_connected',
  versionStatus: 'current',
  runningTasks: 0,
  firstSeenAt: null,
  lastSeenAt: null,
  remoteAddress: null,
  lastError: null,
});

/** The most addresses of one engagement (shared/scanning/plan.ts). */
const LARGEST = 65_536;

/** Ranges that have so many addresses together, the largest first, so that each is aligned to its size. */
export function rangesOf(addresses: number): string[] {
  const ranges: string[] = [];
  for (let from = 0; from < addresses; ) {
    const bits = Math.floor(Math.log2(Math.min(LARGEST, addresses - from)));
    ranges.push(`10.${from >> 16}.${(from >> 8) & 255}.${from & 255}/${32 - bits}`);
    from += 2 ** bits;
  }
  return ranges;
}

/** One engagement whose worker has made a task for each address of the range. */
export async function engage(table: Table, ports: Ports, cidr: string): Promise<Engagement> {
  const engagement = await table.create(engagements, engagementDraft(cidr));
  const input = { engagementId: engagement.id };
  const queued = newTask('bench', { operation: 'create_engagement', job: 'engagements', unit: 'scanner tasks', input });
  await table.rows(taskRows).put(queued);
  for (let made: unknown; made === undefined; ) {
    const task = await table.rows(taskRows).find({ id: queued.id }, true);
    if (!task) throw new Error('the task is gone');
    made = await makeTasks({ table, ports, task });
  }
  return engagement;
}

export const engagementDraft = (value: string): Draft<Engagement> => ({
  title: 'Bench',
  description: null,
  kind: 'web_scan',
  targets: [{ type: 'cidr', value, zone: null }],
  exclusions: [],
  taskTypes: ['web'],
  parameters: {},
  scannerGroupId: null,
  rulesOfEngagement: { allowExploitation: false, authorizationReference: null, emergencyContacts: [], notes: null },
  dueAt: null,
  tags: [],
  publicScannerGroupId: null,
  credentialIds: [],
  schedule: { startAt: null, recurrence: null, timeZone: 'UTC' },
  windows: [],
  intensity: 'normal',
  leadId: null,
  memberIds: [],
  retestOf: null,
  nextRunAt: null,
  runs: 0,
  lastRun: null,
  wakeAt: null,
  status: 'approved',
  statusReason: null,
  requestedBy: { id: 'bench', name: 'bench' },
  startedAt: null,
  completedAt: null,
});
