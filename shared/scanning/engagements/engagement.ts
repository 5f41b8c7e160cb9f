import * as z from 'zod';
import { MAX_TARGETS, ScanTarget, TASK_TYPES, TaskType } from '#shared/assets/targets/scan-target.ts';
import { createBody, Id, live, objectNamed, readOnly, recordFields, Timestamp } from '#shared/platform/http/records.ts';
import { isFinal, type StateMachine } from '#shared/platform/runtime/state-machine.ts';
import { caseless } from '#shared/platform/runtime/texts.ts';
import { defineEntity } from '#shared/platform/table/entity.ts';
import { dayOf } from '#shared/reports/report/time-measures.ts';
import { ScanParameters } from '../scanners/scan-parameters.ts';
import { Schedule, Window } from '../schedule/engagement-schedule.ts';

export const ENGAGEMENT_KINDS = [
  'penetration_test',
  'vulnerability_scan',
  'web_scan',
  'code_scan',
  'red_team',
  'attack_simulation',
  'retest',
] as const;

export const ENGAGEMENT_STATUSES = [
  'requested',
  'approved',
  'rejected',
  'scheduled',
  'running',
  'completed',
  'cancelled',
  'failed',
] as const;
export type EngagementStatus = (typeof ENGAGEMENT_STATUSES)[number];

export type EngagementVerb = 'approve' | 'reject' | 'resubmit' | 'schedule' | 'start' | 'complete' | 'cancel' | 'fail';

/** `approved`: its tasks are being made, or its first start is ahead. After a run a recurring one is scheduled again. */
export const engagementStates: StateMachine<EngagementStatus, EngagementVerb> = {
  requested: { approve: 'approved', reject: 'rejected', cancel: 'cancelled' },
  approved: { schedule: 'scheduled', start: 'running', resubmit: 'requested', cancel: 'cancelled', fail: 'failed' },
  rejected: {},
  scheduled: { start: 'running', resubmit: 'requested', complete: 'completed', cancel: 'cancelled', fail: 'failed' },
  running: { schedule: 'scheduled', complete: 'completed', cancel: 'cancelled', fail: 'failed' },
  completed: {},
  cancelled: {},
  failed: {},
};

/** The verbs that callers can ask for. Scanner tasks start and complete the others. */
export const engagementOffers = ({ taskTypes }: Pick<Engagement, 'taskTypes'>): readonly EngagementVerb[] =>
  taskTypes.length === 0 ? ['approve', 'reject', 'start', 'complete', 'cancel'] : ['approve', 'reject', 'cancel'];

const RulesOfEngagement = z.object({
  allowExploitation: z.boolean().default(false),
  authorizationReference: z.string().max(500).nullable().default(null),
  emergencyContacts: z.array(z.string().max(320)).max(20).default([]),
  notes: z.string().max(4000).nullable().default(null),
});

const TaskCounts = z.object({
  pending: z.int(),
  running: z.int(),
  completed: z.int(),
  failed: z.int(),
  cancelled: z.int(),
  unassignable: z.int().meta({ description: 'pending tasks that no linked scanner can take' }),
});

/** `preparing`: the tasks of the run are being made. `skipped`: the start came during the previous run. */
export const RUN_STATUSES = ['preparing', 'running', 'completed', 'failed', 'cancelled', 'skipped'] as const;

const LastRun = z.object({
  id: Id,
  status: z.enum(RUN_STATUSES),
  statusReason: z.string().optional().meta({ description: 'why its tasks could not be made' }),
  taskId: Id.meta({ description: 'the task that makes its scanner tasks; follow it at /api/v1/tasks' }),
  startedAt: Timestamp,
  finishedAt: Timestamp.nullable(),
  tasksBefore: z
    .object({ completed: z.int(), failed: z.int(), cancelled: z.int() })
    .meta({ description: 'the ended tasks of earlier runs' }),
});

const FindingCounts = z.object({
  critical: z.int(),
  high: z.int(),
  medium: z.int(),
  low: z.int(),
  info: z.int(),
  new: z.int().meta({ description: 'findings that this engagement found first' }),
  fixed: z.int(),
});

/** The most members besides the lead; one transaction writes all of them. */
const MAX_MEMBERS = 8;
const MAX_CREDENTIALS = 5;
const PersonId = z.string().min(1).max(120);

/** An agreed test: its targets, its rules and its state. */
export const Engagement = objectNamed('Engagement', {
  ...recordFields,
  title: z.string().trim().min(1).max(200).meta({ example: 'Monthly scan of the shop' }),
  description: z.string().max(10_000).nullable().default(null),
  kind: z.enum(ENGAGEMENT_KINDS).meta({ example: 'vulnerability_scan' }),
  targets: z
    .array(ScanTarget)
    .min(1)
    .max(MAX_TARGETS)
    .meta({ example: [{ type: 'host', value: 'shop.example.com' }] }),
  exclusions: z.array(ScanTarget).max(MAX_TARGETS).default([]),
  taskTypes: z
    .array(TaskType)
    .max(TASK_TYPES.length)
    .meta({ description: 'empty: people do the work, without scanners', example: ['network'] }),
  parameters: ScanParameters.default({}).meta({
    description:
      'per task type, passed to the scanner unchanged. Parameters that exploit, and those that this service does not ' +
      'know, need `rulesOfEngagement.allowExploitation`',
  }),
  scannerGroupId: Id.nullable().default(null).meta({ description: 'absent: any suitable scanner' }),
  publicScannerGroupId: Id.nullable()
    .default(null)
    .meta({ description: "a pool of the provider's scanners, instead of a group of your own" }),
  credentialIds: z
    .array(Id)
    .max(MAX_CREDENTIALS)
    .default([])
    .meta({
      description:
        'credentials that a scanner gets with a task that needs them; outside of their targets and zones only after the decision ' +
        'of an administrator. Empty for callers who may not use them',
    }),
  approvedCredentialIds: readOnly(z.array(Id).optional()).meta({
    description: 'credentials that an administrator allowed outside of their targets and zones',
    readOnly: true,
  }),
  schedule: Schedule.default(Schedule.parse({})),
  windows: z.array(Window).max(10).default([]).meta({
    description: 'tasks start only within them; none: at any time. A running task may finish after the end',
  }),
  intensity: z.enum(['passive', 'low', 'normal', 'high']).default('normal'),
  rulesOfEngagement: RulesOfEngagement.default(RulesOfEngagement.parse({})),
  leadId: PersonId.nullable()
    .default(null)
    .meta({ description: "id of a service account, of one of the provider's staff, or your own" }),
  memberIds: z.array(PersonId).max(MAX_MEMBERS).default([]),
  retestOf: z
    .object({ engagementId: Id, findingIds: z.array(Id).max(200).default([]) })
    .nullable()
    .default(null),
  dueAt: Timestamp.nullable().default(null),
  tags: z.array(z.string().min(1).max(60)).max(50).default([]),
  status: readOnly(z.enum(ENGAGEMENT_STATUSES)),
  statusReason: readOnly(z.string().nullable()),
  requestedBy: readOnly(z.object({ id: z.string(), name: z.string() })),
  plannedBy: readOnly(z.object({ id: z.string(), name: z.string() }).optional()).meta({
    description: 'the person who last changed the targets, methods or times; absent: `requestedBy`',
    readOnly: true,
  }),
  approvedAt: readOnly(Timestamp.optional()).meta({
    description: 'when it was first approved; work entries begin on this day',
    readOnly: true,
  }),
  approvedBy: readOnly(z.object({ id: z.string(), name: z.string(), reason: z.string().nullable() }).optional()).meta({
    description:
      'the last approver with the reason; absent without an approval, in records of earlier releases, and if an API key ' +
      'created an engagement that needs no approval',
    readOnly: true,
  }),
  nextRunAt: readOnly(Timestamp.nullable().default(null)),
  runs: readOnly(z.int().nonnegative().default(0)).meta({
    description: 'runs so far, also skipped ones',
    readOnly: true,
  }),
  lastRun: readOnly(LastRun.nullable().default(null)),
  wakeAt: live(
    Timestamp.nullable().default(null).meta({
      description: 'when the scheduler reads the engagement next: at a start, or when a window opens or closes',
    }),
  ),
  tasks: live(TaskCounts.optional().meta({ description: 'the tasks of all its runs' })),
  findings: live(FindingCounts.optional()),
  startedAt: readOnly(Timestamp.nullable()),
  completedAt: readOnly(Timestamp.nullable()),
});
export type Engagement = z.infer<typeof Engagement>;

export const EngagementCreate = createBody(Engagement);
export type EngagementCreate = z.output<typeof EngagementCreate>;

const DETAIL = ['description', 'targets', 'exclusions', 'parameters', 'rulesOfEngagement', 'retestOf'] as const;

export const engagements = defineEntity<Engagement, (typeof DETAIL)[number]>(Engagement, {
  name: 'engagement',
  feedFields: [
    'title',
    'kind',
    'status',
    'statusReason',
    'scannerGroupId',
    'publicScannerGroupId',
    'taskTypes',
    'rulesOfEngagement',
    'schedule',
    'leadId',
    'memberIds',
    'dueAt',
    'tags',
    'nextRunAt',
  ],
  dimensions: { status: ENGAGEMENT_STATUSES },
  facets: ({ status, kind }) => ({ [`status:${status}`]: 1, [`kind:${kind}`]: 1 }),
  tallies: (engagement) =>
    isFinal(engagementStates, engagement.status)
      ? []
      : [...assigned(engagement).map((person) => ({ facet: 'assigned', value: person })), ...inGroup(engagement)],
  search: ({ title, kind, tags }) => [title, kind, ...tags],
  indexed: ({ kind, leadId, tags, scannerGroupId }) => ({
    kind,
    lead: leadId ?? null,
    tag: tags.map(caseless),
    group: scannerGroupId ?? undefined,
  }),
  ordered: ({ dueAt }) => ({ due: dueAt && dayOf(dueAt) }),
  detail: DETAIL,
});

/** The tally of the open engagements that name a group. */
export const engagementsInGroup = (groupId: string): string => `group-${groupId}`;

const inGroup = ({ id, scannerGroupId }: Engagement) =>
  scannerGroupId ? [{ facet: engagementsInGroup(scannerGroupId), value: id }] : [];

/** The lead and the members of an engagement, each once. */
export const assigned = ({ leadId, memberIds }: Pick<Engagement, 'leadId' | 'memberIds'>): string[] => [
  ...new Set([...(leadId ? [leadId] : []), ...memberIds]),
];

/** The people whose list has the engagement: they requested it, lead it or work on it. */
export const peopleOf = (engagement: Pick<Engagement, 'leadId' | 'memberIds' | 'requestedBy'>): string[] => [
  ...new Set([engagement.requestedBy.id, ...assigned(engagement)]),
];
