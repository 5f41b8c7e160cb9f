import * as z from 'zod';
import { APEX_TASK_STATUSES, ApexTask, ApexTaskCreate } from '#shared/apex/apex-task.ts';
import { adminOf, approves, readsScans, writes } from '#shared/platform/auth/access.ts';
import { Listing, pageOf } from '#shared/platform/http/pagination.ts';
import {
  Deletion,
  Id,
  objectNamed,
  patchBody,
  Timestamp,
  trimmedText,
  VersionRead,
} from '#shared/platform/http/records.ts';
import { defineRoutes, get, patch, post, remove } from '#shared/platform/http/route.ts';
import { ValueCount } from '#shared/platform/http/value-counts.ts';

const base = '/api/v1/validation-operations/apex/tasks';
const admin = adminOf('scanning');

/** An Apex task in lists, without the long fields. */
const ApexTaskListItem = ApexTask.omit({
  objective: true,
  targets: true,
  exclusions: true,
  parameters: true,
  dependsOn: true,
  result: true,
}).meta({ id: 'ApexTaskListItem' });

const ApexTaskFile = objectNamed('ApexTaskFile', {
  id: Id,
  name: z.string().nullable().meta({ description: 'the name that the appliance gave' }),
  sizeBytes: z.int().nonnegative(),
  sha256: z.string(),
  url: z.string(),
  urlExpiresAt: Timestamp,
});

const Decision = z
  .object({ reason: trimmedText(500).default('decided by an operator'), version: VersionRead })
  .meta({ id: 'ApexTaskDecision' });

export const apexTaskRoutes = defineRoutes({
  listApexTasks: get(base, {
    operation: 'List Apex Tasks',
    summary: 'List Apex tasks, newest first',
    description:
      '`status` filters all tasks; `engagementId`, `campaignId` or `runId` lists the tasks of an engagement, campaign or run. Send ' +
      'only one of these.',
    access: readsScans,
    query: Listing.extend({
      status: z.enum(APEX_TASK_STATUSES).optional(),
      engagementId: Id.optional(),
      campaignId: Id.optional(),
      runId: Id.optional(),
    }),
    response: pageOf(ApexTaskListItem),
  }),
  createApexTask: post(base, {
    operation: 'Create Apex Task',
    summary: 'Create an Apex task outside a campaign',
    description:
      'The targets of the task must be within the engagement scope; without targets the task covers the whole scope. A task of an ' +
      'exploiting type needs an engagement whose rules allow exploitation, and waits for approval.',
    access: writes('scans:trigger'),
    body: ApexTaskCreate,
    response: ApexTask,
  }),
  countApexTasksByStatus: get(`${base}/status`, {
    operation: 'Apex Tasks Status',
    summary: 'Count Apex tasks by status, from pending to cancelled',
    description:
      'Counts all tasks of the organization, in and outside of campaigns. The answer has every status, even with a count of 0.',
    access: readsScans,
    response: z.array(ValueCount),
  }),
  getApexTask: get(`${base}/{id}`, {
    operation: 'Get Apex Task',
    summary: 'Read an Apex task, with its progress and its waiting reason',
    description:
      '`waitingReason` is null once an appliance is expected to take the task with its next poll. `usage` is live, unlike in ' +
      'lists. `progress` is the last progress that the appliance reported.',
    access: readsScans,
    response: ApexTask,
  }),
  updateApexTask: patch(`${base}/{id}`, {
    operation: 'Update Apex Task',
    summary: 'Change a pending Apex task',
    description:
      'Only pending tasks can be changed, except the fields that their campaign sets. A change of the work, the targets, the ' +
      'appliance or the limits removes an approval: the task waits for a new one. Only an administrator may change `approval` from ' +
      '`required` to `none`.',
    access: writes('scans:trigger'),
    body: patchBody(ApexTask),
    response: ApexTask,
  }),
  deleteApexTask: remove(`${base}/{id}`, {
    operation: 'Delete Apex Task',
    summary: 'Delete an Apex task that is not running',
    description:
      'A task of a campaign can be deleted after its run; before, cancel it. A task for which other tasks wait is refused as ' +
      '`conflict` with their ids.',
    access: writes('scans:trigger'),
    irreversible: true,
    response: Deletion,
  }),
  getApexTaskFile: get(`${base}/{id}/files/{fileId}`, {
    summary: 'Get a download address for a file of an Apex task',
    description:
      'The file is an artifact of the result (`uploadId`) or evidence of a finding. GET `url` without credentials. The file is ' +
      'kept as long as the task.',
    access: readsScans,
    response: ApexTaskFile,
  }),
  cancelApexTask: post(`${base}/{id}/cancel`, {
    operation: 'Cancel Apex Task (cancels a running task)',
    summary: 'Cancel an Apex task',
    description:
      'A waiting task is cancelled at once. A running task stays running with `cancelRequestedAt`: the next poll or session update ' +
      'informs its appliance, and the task is cancelled when the appliance confirms or the lease ends. If the appliance finishes ' +
      'before, the task is completed. An ended task is refused as `conflict`.',
    access: writes('scans:trigger'),
    response: ApexTask,
  }),
  approveApexTask: post(`${base}/{id}/approve`, {
    summary: 'Approve an Apex task that waits for approval',
    description:
      'The appliance of a running task that asks for a decision gets the answer with its next session update. Send the `version` ' +
      'that you read, so that you do not approve a task that has changed meanwhile.',
    access: approves(admin),
    body: z.object({
      reason: trimmedText(500).optional().meta({ description: 'kept in `approvedBy`, and sent to the appliance' }),
      version: VersionRead,
    }),
    response: ApexTask,
  }),
  denyApexTask: post(`${base}/{id}/deny`, {
    summary: 'Deny an Apex task that waits for approval',
    description:
      'Cancels a waiting task. The appliance of a running task gets the denial with its next session update.',
    access: admin,
    body: Decision,
    response: ApexTask,
  }),
});
