import * as z from 'zod';
import { ApexDataSource, RunningTasks } from '#shared/apex/apex-appliance.ts';
import { ApexTask, ApexTaskLimits, ApexTaskType, Artifact } from '#shared/apex/apex-task.ts';
import { COMMAND_TYPES } from '#shared/apex/presence.ts';
import { ScanTarget } from '#shared/assets/targets/scan-target.ts';
import { MAX_REPORT_BYTES } from '#shared/platform/http/body-size.ts';
import { clampedNumber, truncatedText } from '#shared/platform/http/bounded-field.ts';
import { JsonFields } from '#shared/platform/http/json-fields.ts';
import { Id, objectNamed, Timestamp } from '#shared/platform/http/records.ts';
import { defineRoutes, post } from '#shared/platform/http/route.ts';
import { QueuedResponse } from '#shared/platform/jobs/task.ts';
import { CompletedTasksAnswer, pollAnswer } from '#shared/scanning/leases/answers.ts';
import { ReportFile } from '#shared/scanning/scanners/scanner.ts';
import { ApexFinding } from './finding.ts';

/** A task as it is handed to an appliance. */
const LeasedApexTask = z.object({
  id: Id,
  type: ApexTaskType,
  title: z.string().nullable(),
  objective: z.string(),
  targets: z.array(ScanTarget),
  exclusions: z.array(ScanTarget).meta({ description: 'never to be touched, also where a target contains them' }),
  parameters: ApexTask.shape.parameters,
  engagementId: Id,
  campaignId: Id.nullable(),
  allowExploitation: z.boolean(),
  rules: z.string().nullable().meta({ description: "notes of the engagement's rules" }),
  limits: ApexTaskLimits,
  attempt: z.int().positive(),
  leaseSeconds: z.int().positive(),
  leaseExpiresAt: Timestamp,
  deadlineAt: Timestamp,
});
export type LeasedApexTask = z.infer<typeof LeasedApexTask>;

const ApexNewTasksAnswer = objectNamed('ApexNewTasksAnswer', {
  tasks: z.array(LeasedApexTask),
  ...pollAnswer,
});

export const ApexTaskOutcome = z.object({
  taskId: Id,
  outcome: z.enum(['completed', 'failed', 'cancelled']),
  startedAt: Timestamp.optional(),
  finishedAt: Timestamp.optional(),
  summary: z.string().max(10_000).optional(),
  output: JsonFields.optional(),
  error: z.object({ code: z.string().max(120), message: z.string().max(2000) }).optional(),
  reports: z.array(ReportFile).max(50).default([]),
  artifacts: z.array(Artifact).max(50).default([]),
  usage: z.object({ inputTokens: z.int().min(0), outputTokens: z.int().min(0) }).optional(),
});
export type ApexTaskOutcome = z.infer<typeof ApexTaskOutcome>;

const ApexCompletedTasksRequest = objectNamed('ApexCompletedTasksRequest', {
  results: z
    .array(ApexTaskOutcome.or(z.looseObject({})))
    .min(1)
    .max(100)
    .meta({
      description:
        'each result is checked separately: a wrong result is answered as refused and does not affect the others',
      example: [{ taskId: '01900000-0000-7000-8000-000000000000', outcome: 'completed', summary: 'Nothing found.' }],
    }),
});

const ApexFindings = objectNamed('ApexFindings', {
  taskId: Id,
  findings: z
    .array(ApexFinding.or(z.looseObject({})))
    .min(1)
    .max(200)
    .meta({ example: [{ externalId: 'shop-1', title: 'Login without a password', severity: 'high' }] }),
});

const FindingAnswer = z.object({
  externalId: z.string(),
  accepted: z.boolean(),
  code: z.string().optional(),
  message: z.string().optional(),
});
export type FindingAnswer = z.infer<typeof FindingAnswer>;

const ApexFindingsAnswer = z
  .object({ ...QueuedResponse.shape, results: z.array(FindingAnswer) })
  .meta({ id: 'ApexFindingsAnswer' });

export const ApexSessionUpdate = objectNamed('ApexSessionUpdate', {
  sessionId: z.string().max(64).optional().meta({ description: 'as the first answer gave it' }),
  state: z.enum(['starting', 'idle', 'busy', 'stopping', 'error']),
  version: z.string().max(120).optional(),
  running: RunningTasks.default([]),
  resources: z
    .object({
      cpuPercent: clampedNumber(0, 100),
      memoryPercent: clampedNumber(0, 100),
      diskPercent: clampedNumber(0, 100),
    })
    .partial()
    .default({}),
  events: z
    .array(
      z.object({
        at: Timestamp,
        level: z.enum(['debug', 'info', 'warning', 'error']),
        message: truncatedText(2000),
        taskId: z.string().max(64).optional(),
      }),
    )
    .max(100)
    .default([]),
});
export type ApexSessionUpdate = z.infer<typeof ApexSessionUpdate>;

const ApexSessionAnswer = objectNamed('ApexSessionAnswer', {
  sessionId: Id,
  commands: z.array(z.object({ type: z.enum(COMMAND_TYPES), taskId: Id.optional(), reason: z.string() })).meta({
    description: 'each is repeated until it has no more effect, so obeying a command twice must be harmless',
  }),
  lost: z.array(Id).meta({ description: 'tasks that the machine no longer holds: stop them' }),
  leases: z.array(z.object({ taskId: Id, leaseExpiresAt: Timestamp })),
  budget: z
    .object({ tokensLeft: z.int().nonnegative() })
    .meta({ description: 'of the organization whose tasks it holds, this month' }),
  nextUpdateSeconds: z.int().positive(),
});
export type ApexSessionAnswer = z.infer<typeof ApexSessionAnswer>;

const access = { machines: ['apex'], draining: true } as const;
const base = '/api/v1/apex_communication';

export const apexCommunicationRoutes = defineRoutes({
  leaseApexTasks: post(`${base}/new_tasks`, {
    operation: 'Apex New Tasks',
    summary: 'Poll: renew the leases of running tasks and lease waiting tasks',
    description:
      '`capacity` (required) is the number of further tasks that the appliance takes now; 0 only reports that the appliance is ' +
      'online. `running` renews the leases of the named tasks; a lease that is not renewed ends after `leaseSeconds`, and the task ' +
      'waits for another appliance. Poll again after `pollAfterSeconds`, or as soon as a task ends. A public appliance gets the ' +
      'tasks of the organization whose turn it is; everything that the appliance sends for a task goes to that organization.',
    access,
    body: ApexDataSource,
    needs: ['capacity'],
    lenient: true,
    poll: true,
    response: ApexNewTasksAnswer,
  }),
  completeApexTasks: post(`${base}/completed_tasks`, {
    operation: 'Apex Completed Tasks',
    summary: 'Report the results of tasks',
    description:
      'Each of `results` has its own answer. Sending a result again is harmless and gets the same answer. A task that the ' +
      'appliance does not hold, or no longer holds, is refused with `not_held`. A failed task is tried again until its attempts ' +
      'are used up. A task with a cancellation request becomes cancelled unless it was completed. `output` holds at most 64 KB. ' +
      'Artifacts are uploads of the appliance (`POST /apex_communication/uploads`) of up to 64 MiB each; they are kept with the ' +
      'task. A result with an artifact that is missing, incomplete or used elsewhere is refused and may be sent again.',
    access,
    maxBody: MAX_REPORT_BYTES,
    body: ApexCompletedTasksRequest,
    lenient: true,
    response: CompletedTasksAnswer.meta({ id: 'ApexCompletedTasksAnswer' }),
  }),
  reportApexFindings: post(`${base}/findings`, {
    operation: 'Apex findings',
    summary: 'Report findings of a running task',
    description:
      'The findings go through the same ingest and deduplication as the reports of scanners; follow `taskId` at `/api/v1/tasks`. ' +
      '`externalId` makes a repetition harmless: within an engagement the same id on the same target is the same finding. The ' +
      'caller must hold the task. A finding with a target outside of the task is refused, and does not affect the other findings. ' +
      'A finding whose evidence (`uploadId`, up to 64 MiB) is no complete upload of the appliance is refused too. Accepted ' +
      'evidence is kept with the task, and the finding names its place.',
    access,
    maxBody: MAX_REPORT_BYTES,
    body: ApexFindings,
    lenient: true,
    response: ApexFindingsAnswer,
  }),
  updateApexSession: post(`${base}/session`, {
    operation: 'Session Update',
    summary: 'Report the session, receive commands and renew leases',
    description:
      'Renews the leases of the tasks in `running` as a poll does. `commands` has commands for running tasks (cancel, pause, ' +
      'resume) and commands from operators for the appliance.',
    access,
    body: ApexSessionUpdate,
    lenient: true,
    poll: true,
    response: ApexSessionAnswer,
  }),
});
