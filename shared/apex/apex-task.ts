import * as z from 'zod';
import { ScanTarget } from '#shared/assets/targets/scan-target.ts';
import { JsonFields } from '#shared/platform/http/json-fields.ts';
import { Id, live, objectNamed, readOnly, recordFields, Timestamp } from '#shared/platform/http/records.ts';
import type { StateMachine } from '#shared/platform/runtime/state-machine.ts';
import { count, defineEntity, type Tally } from '#shared/platform/table/entity.ts';

/** The types of work of an appliance. A type that an appliance names and this release does not know is never leased. */
export const APEX_TASK_TYPES = [
  'reconnaissance',
  'discovery',
  'vulnerability_validation',
  'web_testing',
  'configuration_review',
  'retest',
  'exploitation',
  'credential_access',
  'privilege_escalation',
  'lateral_movement',
  'exfiltration',
  'social_engineering',
  'reporting',
] as const;
export const ApexTaskType = z.enum(APEX_TASK_TYPES);
export type ApexTaskType = z.infer<typeof ApexTaskType>;

/** Types that break into something: the engagement's rules must allow them, and a person must approve each task. */
const EXPLOITING: readonly ApexTaskType[] = [
  'exploitation',
  'credential_access',
  'privilege_escalation',
  'lateral_movement',
  'exfiltration',
  'social_engineering',
];
export const isExploiting = (type: ApexTaskType): boolean => EXPLOITING.includes(type);

export const APEX_TASK_STATUSES = ['pending', 'running', 'completed', 'failed', 'cancelled'] as const;
type ApexTaskStatus = (typeof APEX_TASK_STATUSES)[number];
export type ApexTaskVerb = 'lease' | 'give back' | 'complete' | 'fail' | 'cancel';

export const apexTaskStates: StateMachine<ApexTaskStatus, ApexTaskVerb> = {
  pending: { lease: 'running', cancel: 'cancelled' },
  running: { 'give back': 'pending', complete: 'completed', fail: 'failed', cancel: 'cancelled' },
  completed: {},
  failed: {},
  cancelled: {},
};

const APEX_WAITING_REASONS = [
  'approval',
  'dependencies',
  'campaign_paused',
  'campaign_limit',
  'outside_window',
  'no_appliance',
  'no_appliance_for_type',
  'all_offline',
  'all_busy',
  'quota',
] as const;

export const Approval = z.enum(['none', 'required']);
const Who = z.object({ id: z.string(), name: z.string() });

export const ApexTaskLimits = z.object({
  maxTokens: z.int().min(1).max(1_000_000_000).nullable().default(null),
  timeoutSeconds: z.int().min(60).max(86_400).nullable().default(null),
});

const settings = {
  title: z.string().trim().min(1).max(200).nullable().default(null).meta({ description: 'null: its objective' }),
  objective: z.string().trim().min(1).max(4000).meta({ example: 'Find out which services the shop exposes.' }),
  targets: z
    .array(ScanTarget)
    .max(1000)
    .default([])
    .meta({ description: 'targets within the engagement scope; none: the whole scope' }),
  parameters: JsonFields.default({}),
  applianceId: Id.nullable().default(null).meta({ description: 'none: any suitable appliance' }),
  priority: z.int().min(0).max(9).default(5).meta({ description: '9 is first' }),
  dependsOn: z
    .array(Id)
    .max(50)
    .default([])
    .meta({ description: 'tasks of the same engagement that must be completed first' }),
  approval: Approval.default('none').meta({
    description: 'always `required` for types that exploit',
  }),
  limits: ApexTaskLimits.default(ApexTaskLimits.parse({})),
};

/** The body that creates a task outside a campaign. */
export const ApexTaskCreate = objectNamed('ApexTaskCreate', {
  engagementId: Id,
  type: ApexTaskType,
  ...settings,
});
export type ApexTaskCreate = z.infer<typeof ApexTaskCreate>;

export const TokenUsage = z.object({
  inputTokens: z.int(),
  outputTokens: z.int(),
  calls: z.int(),
  seconds: z.int(),
});
export type TokenUsage = z.infer<typeof TokenUsage>;
export const noUsage: TokenUsage = { inputTokens: 0, outputTokens: 0, calls: 0, seconds: 0 };

export const SeverityCounts = z.object({
  critical: z.int(),
  high: z.int(),
  medium: z.int(),
  low: z.int(),
  info: z.int(),
});
export type SeverityCounts = z.infer<typeof SeverityCounts>;
export const noFindings: SeverityCounts = { critical: 0, high: 0, medium: 0, low: 0, info: 0 };

export const Artifact = z.object({
  name: z.string().min(1).max(200),
  mediaType: z.string().min(1).max(120),
  uploadId: z.string().min(1).max(120),
});

const ApexTaskResult = z.object({
  summary: z.string().nullable(),
  output: z.record(z.string(), z.unknown()).nullable(),
  artifacts: z.array(Artifact),
});

/** One piece of work for one appliance. Its settings can change while it is pending. */
export const ApexTask = objectNamed('ApexTask', {
  ...recordFields,
  engagementId: readOnly(Id),
  type: readOnly(ApexTaskType),
  ...settings,
  exclusions: readOnly(z.array(ScanTarget)).meta({ description: "the engagement's", readOnly: true }),
  zone: readOnly(z.string().nullable()),
  usePublicApex: readOnly(z.boolean().default(false)).meta({ description: "only the provider's", readOnly: true }),
  campaignId: readOnly(Id.nullable()),
  runId: readOnly(Id.nullable()),
  templateKey: readOnly(z.string().nullable()),
  status: readOnly(z.enum(APEX_TASK_STATUSES)),
  waitingReason: live(z.enum(APEX_WAITING_REASONS).nullable()),
  released: readOnly(z.boolean().meta({ description: 'the task waits only for an appliance' })),
  approvedBy: readOnly(Who.extend({ reason: z.string().nullable().optional() }).nullable()),
  appliance: readOnly(Who.nullable()),
  providerId: readOnly(Id.nullish()).meta({
    description: 'the owner of the appliance, if it is the provider',
    readOnly: true,
  }),
  attempt: readOnly(z.int().nonnegative()),
  maxAttempts: readOnly(z.int().positive()),
  progress: readOnly(
    z
      .object({ fraction: z.number().min(0).max(1), step: z.string(), message: z.string() })
      .partial()
      .nullable(),
  ),
  cancelRequestedAt: readOnly(Timestamp.nullable()),
  leaseExpiresAt: readOnly(Timestamp.nullable()),
  usage: live(TokenUsage),
  findings: readOnly(SeverityCounts),
  ingestTaskIds: readOnly(z.array(Id)),
  result: readOnly(ApexTaskResult.nullable()),
  error: readOnly(z.object({ code: z.string(), message: z.string() }).nullable()),
  startedAt: readOnly(Timestamp.nullable()),
  finishedAt: readOnly(Timestamp.nullable()),
});
export type ApexTask = z.infer<typeof ApexTask>;

/** The fields that lists leave out. */
export const apexTaskDetail = ['objective', 'targets', 'exclusions', 'parameters', 'dependsOn', 'result'] as const;
type Detail = (typeof apexTaskDetail)[number];
/** A task in lists: these fields are enough to change its status. */
export type ApexTaskListItem = Omit<ApexTask, Detail>;

export const apexTasks = defineEntity<ApexTask, Detail>(ApexTask, {
  name: 'apex-task',
  feedFields: [
    'title',
    'type',
    'engagementId',
    'campaignId',
    'status',
    'approval',
    'approvedBy',
    'appliance',
    'attempt',
    'error',
  ],
  dimensions: { status: APEX_TASK_STATUSES },
  facets: ({ status }) => count({ status }),
  tallies: runTally,
  parents: {
    engagement: { of: ({ engagementId }) => engagementId },
    campaign: { of: ({ campaignId }) => campaignId },
    run: { of: ({ runId }) => runId },
  },
  search: ({ title, type }) => [title, type],
  detail: apexTaskDetail,
});

/** Counts the tasks of a run by status, and their findings by severity (`f:high`). */
function runTally({ runId, status, findings }: ApexTask): Tally[] {
  if (runId === null) return [];
  const found = Object.entries(findings).flatMap(([severity, n]) => (n > 0 ? [[`f:${severity}`, n]] : []));
  return [{ facet: 'run', value: runId, add: { [status]: 1, ...Object.fromEntries(found) } }];
}
