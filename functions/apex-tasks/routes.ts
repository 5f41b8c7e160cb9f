import * as z from 'zod';
import { admin, reads, writes } from '#shared/auth/access.ts';
import { APEX_TASK_STATUSES, ApexTask, ApexTaskCreate } from '#shared/entities/apex-task.ts';
import { Pagination, pageOf } from '#shared/http/pagination.ts';
import { Deletion, Id, patchBody, Timestamp, VersionRead } from '#shared/http/records.ts';
import { defineRoutes } from '#shared/http/route.ts';
import { ValueCount } from '#shared/http/value-counts.ts';

const base = '/api/v1/validation-operations/apex/tasks';

/** A list item: without the long fields. */
const ApexTaskListItem = ApexTask.omit({
  objective: true,
  targets: true,
  exclusions: true,
  parameters: true,
  dependsOn: true,
  result: true,
}).meta({ id: 'ApexTaskListItem' });

const ApexTaskFile = z
  .object({
    id: Id,
    name: z.string().nullable().meta({ description: 'as the appliance named it' }),
    sizeBytes: z.int().nonnegative(),
    sha256: z.string(),
    url: z.string(),
    urlExpiresAt: Timestamp,
  })
  .meta({ id: 'ApexTaskFile' });

const Decision = z
  .object({ reason: z.string().trim().min(1).max(500).default('decided by an operator'), version: VersionRead })
  .meta({ id: 'ApexTaskDecision' });

export const apexTaskRoutes = defineRoutes({
  listApexTasks: {
    method: 'GET',
    path: base,
    operation: 'List Apex Tasks',
    summary: 'List Apex tasks, newest first',
    description:
      '`status` filters all tasks; `engagementId`, `campaignId` or `runId` lists those of one. They are not combined.',
    access: reads('scans:trigger'),
    query: Pagination.extend({
      status: z.enum(APEX_TASK_STATUSES).optional(),
      engagementId: Id.optional(),
      campaignId: Id.optional(),
      runId: Id.optional(),
    }),
    response: pageOf(ApexTaskListItem),
  },
  createApexTask: {
    method: 'POST',
    path: base,
    operation: 'Create Apex Task',
    summary: 'Create an Apex task outside a campaign',
    description:
      "Its targets must lie within the engagement's scope; none means all of it. A task of a type that exploits needs an " +
      'engagement whose rules allow exploitation, and waits until someone approves it.',
    access: writes('scans:trigger'),
    body: ApexTaskCreate,
    response: ApexTask,
  },
  countApexTasksByStatus: {
    method: 'GET',
    path: `${base}/status`,
    operation: 'Apex Tasks Status',
    summary: 'How many Apex tasks have each status, in the order of their life',
    access: reads('scans:trigger'),
    response: z.array(ValueCount),
  },
  getApexTask: {
    method: 'GET',
    path: `${base}/{id}`,
    operation: 'Get Apex Task',
    summary: 'Read an Apex task, with its progress and why it waits',
    access: reads('scans:trigger'),
    response: ApexTask,
  },
  updateApexTask: {
    method: 'PATCH',
    path: `${base}/{id}`,
    operation: 'Update Apex Task',
    summary: 'Change an Apex task that is pending',
    description:
      'Once it runs it can no longer be changed. What the campaign of a task decides stays as it is there. A change of ' +
      'what it does, where or with which limits takes an approval away: it waits for another.',
    access: writes('scans:trigger'),
    body: patchBody(ApexTask),
    response: ApexTask,
  },
  deleteApexTask: {
    method: 'DELETE',
    path: `${base}/{id}`,
    operation: 'Delete Apex Task',
    summary: 'Delete an Apex task that does not run',
    description:
      'A task of a campaign can be deleted once its run has ended; cancel it until then. One that others wait for: 400 ' +
      '`conflict`, naming them.',
    access: writes('scans:trigger'),
    response: Deletion,
  },
  getApexTaskFile: {
    method: 'GET',
    path: `${base}/{id}/files/{fileId}`,
    summary: 'Get an address to read a file of an Apex task from',
    description:
      'An artifact of its result (`uploadId`), or a file that is evidence of a finding. GET `url` without credentials. It ' +
      'is kept as long as the task.',
    access: reads('scans:trigger'),
    response: ApexTaskFile,
  },
  cancelApexTask: {
    method: 'POST',
    path: `${base}/{id}/cancel`,
    operation: 'Cancel Apex Task (cancels a running task)',
    summary: 'Cancel an Apex task',
    description:
      'One that waits is cancelled at once. One that runs stays running with `cancelRequestedAt`: its appliance hears of it ' +
      'with its next poll or session update, and it is cancelled when the appliance confirms or the lease ends. An ' +
      'appliance that had finished by then wins: the task is completed. One that has ended: 400 `conflict`.',
    access: writes('scans:trigger'),
    response: ApexTask,
  },
  approveApexTask: {
    method: 'POST',
    path: `${base}/{id}/approve`,
    summary: 'Approve an Apex task that waits for it',
    description:
      'One that runs already, and asks its operator for a decision, is told so with its next session update. With the ' +
      '`version` that was read, one that was changed since is not approved.',
    access: admin,
    body: z.object({ version: VersionRead }),
    response: ApexTask,
  },
  denyApexTask: {
    method: 'POST',
    path: `${base}/{id}/deny`,
    summary: 'Deny an Apex task that waits for approval',
    description: 'It is cancelled. One that runs already is told so with its next session update.',
    access: admin,
    body: Decision,
    response: ApexTask,
  },
});
