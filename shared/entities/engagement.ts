import * as z from 'zod';
import { Id, readOnly, recordFields, Timestamp } from '../http/records.ts';
import type { StateMachine } from '../state-machine.ts';
import { defineEntity } from '../table/entity.ts';
import { ScanTarget } from './scan-target.ts';
import { TASK_TYPES, TaskType } from './scanner.ts';

export const ENGAGEMENT_KINDS = [
  'penetration_test',
  'vulnerability_scan',
  'web_scan',
  'code_scan',
  'red_team',
  'attack_simulation',
  'retest',
] as const;

export const ENGAGEMENT_STATUSES = ['requested', 'scheduled', 'running', 'completed', 'cancelled', 'failed'] as const;
export type EngagementStatus = (typeof ENGAGEMENT_STATUSES)[number];

export const engagementStates: StateMachine<EngagementStatus, 'schedule' | 'start' | 'complete' | 'cancel' | 'fail'> = {
  requested: { schedule: 'scheduled', cancel: 'cancelled', fail: 'failed' },
  scheduled: { start: 'running', complete: 'completed', cancel: 'cancelled', fail: 'failed' },
  running: { complete: 'completed', cancel: 'cancelled', fail: 'failed' },
  completed: {},
  cancelled: {},
  failed: {},
};

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
  unassignable: z.int().meta({ description: 'pending, and no scanner that is linked could take them' }),
});

/** An agreed piece of testing: what is tested, how, and how far it is. */
export const Engagement = z
  .object({
    ...recordFields,
    title: z.string().trim().min(1).max(200).meta({ example: 'Monthly scan of the shop' }),
    description: z.string().max(10_000).nullable().default(null),
    kind: z.enum(ENGAGEMENT_KINDS).meta({ example: 'vulnerability_scan' }),
    targets: z
      .array(ScanTarget)
      .min(1)
      .max(1000)
      .meta({ example: [{ type: 'host', value: 'shop.example.com' }] }),
    exclusions: z.array(ScanTarget).max(1000).default([]),
    taskTypes: z
      .array(TaskType)
      .max(TASK_TYPES.length)
      .meta({ description: 'none: work for people, without scanners', example: ['network'] }),
    parameters: z
      .partialRecord(TaskType, z.record(z.string(), z.unknown()))
      .default({})
      .meta({ description: 'per task type, passed to the scanner as they are' }),
    scannerGroupId: Id.nullable().default(null).meta({ description: 'none: any scanner that fits' }),
    rulesOfEngagement: RulesOfEngagement.default(RulesOfEngagement.parse({})),
    dueAt: Timestamp.nullable().default(null),
    tags: z.array(z.string().min(1).max(60)).max(50).default([]),
    status: readOnly(z.enum(ENGAGEMENT_STATUSES)),
    statusReason: readOnly(z.string().nullable()),
    requestedBy: readOnly(z.object({ id: z.string(), name: z.string() })),
    tasks: readOnly(TaskCounts.optional()),
    startedAt: readOnly(Timestamp.nullable()),
    completedAt: readOnly(Timestamp.nullable()),
  })
  .meta({ id: 'Engagement' });
export type Engagement = z.infer<typeof Engagement>;

export const engagements = defineEntity<Engagement, 'description' | 'targets' | 'exclusions' | 'parameters'>(
  Engagement,
  {
    name: 'engagement',
    facets: ({ status, kind }) => ({ [`status:${status}`]: 1, [`kind:${kind}`]: 1 }),
    search: ({ title, kind, tags }) => [title, kind, ...tags],
    detail: ['description', 'targets', 'exclusions', 'parameters'],
  },
);
