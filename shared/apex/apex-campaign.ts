import * as z from 'zod';
import { ScanTarget } from '#shared/assets/targets/scan-target.ts';
import { JsonFields } from '#shared/platform/http/json-fields.ts';
import {
  Id,
  live,
  objectNamed,
  readOnly,
  recordFields,
  Timestamp,
  trimmedText,
} from '#shared/platform/http/records.ts';
import type { StateMachine } from '#shared/platform/runtime/state-machine.ts';
import { count, defineEntity } from '#shared/platform/table/entity.ts';
import { Schedule } from '#shared/scanning/schedule/engagement-schedule.ts';
import { ApexTaskType, Approval, noFindings, noUsage, SeverityCounts, TokenUsage } from './apex-task.ts';

export const CAMPAIGN_STATUSES = [
  'draft',
  'scheduled',
  'running',
  'paused',
  'completed',
  'failed',
  'cancelled',
] as const;
type CampaignStatus = (typeof CAMPAIGN_STATUSES)[number];
export type CampaignVerb = 'schedule' | 'unschedule' | 'run' | 'pause' | 'resume' | 'complete' | 'fail' | 'cancel';

/** A campaign that has ended may run again; each run is kept. With a next start it is scheduled again after a run. */
export const campaignStates: StateMachine<CampaignStatus, CampaignVerb> = {
  draft: { schedule: 'scheduled', run: 'running' },
  scheduled: { run: 'running', unschedule: 'draft', cancel: 'cancelled' },
  running: { pause: 'paused', schedule: 'scheduled', complete: 'completed', fail: 'failed', cancel: 'cancelled' },
  paused: { resume: 'running', schedule: 'scheduled', complete: 'completed', fail: 'failed', cancel: 'cancelled' },
  completed: { schedule: 'scheduled', run: 'running' },
  failed: { schedule: 'scheduled', run: 'running' },
  cancelled: { schedule: 'scheduled', run: 'running' },
};

/** `skipped`: a start that came during the previous run. */
const RUN_STATUSES = ['running', 'paused', 'completed', 'failed', 'cancelled', 'skipped'] as const;
export type RunStatus = (typeof RUN_STATUSES)[number];

export const runStates: StateMachine<RunStatus, 'pause' | 'resume' | 'complete' | 'fail' | 'cancel'> = {
  running: { pause: 'paused', complete: 'completed', fail: 'failed', cancel: 'cancelled' },
  paused: { resume: 'running', complete: 'completed', fail: 'failed', cancel: 'cancelled' },
  completed: {},
  failed: {},
  cancelled: {},
  skipped: {},
};

/** Templates of a campaign, and so tasks of a run. */
const MAX_TEMPLATES = 100;

export const TaskTemplate = z.object({
  key: z.string().regex(/^[A-Za-z0-9_-]{1,60}$/),
  type: ApexTaskType,
  title: trimmedText(200).nullable().default(null),
  objective: trimmedText(4000).nullable().default(null).meta({ description: 'null: the objective of the campaign' }),
  targets: z
    .array(ScanTarget)
    .max(1000)
    .default([])
    .meta({ description: 'targets within the engagement scope; none: the whole scope' }),
  parameters: JsonFields.default({}),
  dependsOn: z
    .array(z.string().max(60))
    .max(MAX_TEMPLATES)
    .default([])
    .meta({ description: 'keys of other templates' }),
  approval: Approval.default('none'),
  maxAttempts: z.int().min(1).max(10).default(3),
  timeoutSeconds: z.int().min(60).max(86_400).nullable().default(null),
  priority: z.int().min(0).max(9).default(5),
});
export type TaskTemplate = z.infer<typeof TaskTemplate>;

export const CampaignLimits = z.object({
  maxConcurrentTasks: z.int().min(1).max(100).nullable().default(null),
  maxTokens: z.int().min(1).max(1_000_000_000).nullable().default(null).meta({ description: 'of one run' }),
  maxDurationSeconds: z.int().min(1).max(2_592_000).nullable().default(null).meta({ description: 'of one run' }),
  maxTasks: z.int().min(1).max(MAX_TEMPLATES).nullable().default(null),
});
export type CampaignLimits = z.infer<typeof CampaignLimits>;

const settings = {
  name: trimmedText(120).meta({ example: 'Quarterly test of the shop' }),
  objective: trimmedText(4000).meta({ example: 'Show what an outsider reaches.' }),
  engagementId: Id,
  description: z.string().max(10_000).nullable().default(null),
  taskTemplates: z
    .array(TaskTemplate)
    .min(1)
    .max(MAX_TEMPLATES)
    .meta({ example: [{ key: 'recon', type: 'reconnaissance', objective: 'Which services are exposed?' }] }),
  applianceIds: z
    .array(Id)
    .max(50)
    .default([])
    .meta({ description: 'only these appliances, in turn; none: any suitable appliance' }),
  zone: trimmedText(120).nullable().default(null).meta({ description: 'only appliances of this zone' }),
  usePublicApex: z.boolean().default(false).meta({ description: "true: only the provider's public appliances" }),
  limits: CampaignLimits.default(CampaignLimits.parse({})),
  schedule: Schedule.nullable().default(null).meta({
    description:
      'when the campaign runs automatically: at `startAt`, or by a recurrence; null: run by hand, or no start is left',
  }),
  onTaskFailure: z.enum(['continue', 'stop']).default('continue'),
};

export const ApexCampaignCreate = z.object(settings).meta({ id: 'ApexCampaignCreate' });
export type ApexCampaignCreate = z.infer<typeof ApexCampaignCreate>;

export const TaskCounts = z.object({
  pending: z.int(),
  running: z.int(),
  completed: z.int(),
  failed: z.int(),
  cancelled: z.int(),
});
export type TaskCounts = z.infer<typeof TaskCounts>;
export const noTasks: TaskCounts = { pending: 0, running: 0, completed: 0, failed: 0, cancelled: 0 };

/** The totals of a run: live while it runs, kept in the history afterwards. */
const runTotals = { tasks: TaskCounts, usage: TokenUsage, findings: SeverityCounts };
export const noTotals = { tasks: noTasks, usage: noUsage, findings: noFindings };

/** Tasks for appliances that belong together, with an order and limits. */
export const ApexCampaign = objectNamed('ApexCampaign', {
  ...recordFields,
  ...settings,
  status: readOnly(z.enum(CAMPAIGN_STATUSES)),
  statusReason: readOnly(z.string().nullable()),
  currentRun: readOnly(z.object({ id: Id, startedAt: Timestamp }).nullable()),
  lastRunId: readOnly(Id.nullable()),
  nextRunAt: readOnly(Timestamp.nullable()),
  runs: readOnly(z.int().nonnegative()).meta({ description: 'runs so far, including skipped runs', readOnly: true }),
  usage: live(runTotals.usage.meta({ description: 'of the current or last run' })),
  tasks: live(runTotals.tasks),
  findings: live(runTotals.findings),
});
export type ApexCampaign = z.infer<typeof ApexCampaign>;

export const apexCampaigns = defineEntity<ApexCampaign, 'objective' | 'description' | 'taskTemplates' | 'applianceIds'>(
  ApexCampaign,
  {
    name: 'apex-campaign',
    feedFields: [
      'name',
      'engagementId',
      'status',
      'statusReason',
      'zone',
      'usePublicApex',
      'limits',
      'schedule',
      'nextRunAt',
      'lastRunId',
    ],
    dimensions: { status: CAMPAIGN_STATUSES },
    facets: ({ status }) => count({ status }),
    parents: { engagement: { of: ({ engagementId }) => engagementId } },
    search: ({ name }) => [name],
    detail: ['objective', 'description', 'taskTemplates', 'applianceIds'],
  },
);

/** One run of a campaign. */
export const ApexCampaignRun = objectNamed('ApexCampaignRun', {
  ...recordFields,
  campaignId: readOnly(Id),
  engagementId: readOnly(Id),
  status: readOnly(z.enum(RUN_STATUSES)),
  statusReason: readOnly(z.string().nullable()),
  /** The tasks of the run, in the order of their dependencies. */
  plan: readOnly(z.array(z.object({ key: z.string(), taskId: Id, dependsOn: z.array(Id) }))),
  made: readOnly(z.boolean().meta({ description: 'all of its tasks are made' })),
  deadlineAt: readOnly(Timestamp.nullable()),
  scheduledFor: readOnly(Timestamp.nullable().meta({ description: 'the start by the schedule; null: run by hand' })),
  startedAt: readOnly(Timestamp.nullable().meta({ description: 'null: it was skipped' })),
  finishedAt: readOnly(Timestamp.nullable()),
  usage: readOnly(runTotals.usage),
  tasks: readOnly(runTotals.tasks),
  findings: readOnly(runTotals.findings),
});
export type ApexCampaignRun = z.infer<typeof ApexCampaignRun>;

export const apexCampaignRuns = defineEntity<ApexCampaignRun, 'plan'>(ApexCampaignRun, {
  name: 'apex-run',
  facets: ({ status }) => count({ status }),
  parents: { campaign: { of: ({ campaignId }) => campaignId } },
  detail: ['plan'],
});
