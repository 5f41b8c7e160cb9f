import * as z from 'zod';
import { reads, writes } from '#shared/auth/access.ts';
import {
  ApexCampaign,
  ApexCampaignCreate,
  ApexCampaignRun,
  CAMPAIGN_STATUSES,
} from '#shared/entities/apex-campaign.ts';
import { Pagination, pageOf } from '#shared/http/pagination.ts';
import { Deletion, Id, patchBody } from '#shared/http/records.ts';
import { defineRoutes } from '#shared/http/route.ts';
import { QueuedResponse } from '#shared/jobs/task.ts';

const base = '/api/v1/validation-operations/apex/campaigns';

/** List items: without the long fields. */
const ApexCampaignListItem = ApexCampaign.omit({
  objective: true,
  description: true,
  taskTemplates: true,
  applianceIds: true,
}).meta({ id: 'ApexCampaignListItem' });
const ApexCampaignRunListItem = ApexCampaignRun.omit({ plan: true }).meta({ id: 'ApexCampaignRunListItem' });

export const apexCampaignRoutes = defineRoutes({
  listCampaigns: {
    method: 'GET',
    path: base,
    operation: 'List Campaigns',
    summary: 'List campaigns, newest first',
    description: '`status` filters all campaigns; `engagementId` lists those of one engagement. They are not combined.',
    access: reads('scans:trigger'),
    query: Pagination.extend({ status: z.enum(CAMPAIGN_STATUSES).optional(), engagementId: Id.optional() }),
    response: pageOf(ApexCampaignListItem),
  },
  createCampaign: {
    method: 'POST',
    path: base,
    operation: 'Create Campaign',
    summary: 'Create a campaign',
    description:
      'A draft, or scheduled when `schedule` says when it runs: once at `startAt`, or by its `recurrence` again and ' +
      'again, until that has no more starts or the campaign is cancelled; without `startAt` at the time of day at which ' +
      'it was created, beginning now if that fits the rule. A start that comes while the run before goes on is kept as ' +
      '`skipped`. Each template becomes one task of a run; `dependsOn` is their order, a circle is refused. Templates of ' +
      'a type that exploits need an engagement whose rules allow it, and their tasks wait for approval.',
    access: writes('scans:trigger'),
    body: ApexCampaignCreate,
    response: ApexCampaign,
  },
  getCampaign: {
    method: 'GET',
    path: `${base}/{id}`,
    operation: 'Get Campaign',
    summary: 'Read a campaign, with what its current or last run has come to',
    access: reads('scans:trigger'),
    response: ApexCampaign,
  },
  updateCampaign: {
    method: 'PATCH',
    path: `${base}/{id}`,
    operation: 'Update Campaign',
    summary: 'Change a campaign',
    description:
      'While it runs or is paused only `name`, `description`, `limits`, `schedule` and `onTaskFailure` may change; limits ' +
      'take effect at once, a new `maxDurationSeconds` with the next run. `schedule: null` leaves it to be run by hand.',
    access: writes('scans:trigger'),
    body: patchBody(ApexCampaign),
    response: ApexCampaign,
  },
  deleteCampaign: {
    method: 'DELETE',
    path: `${base}/{id}`,
    operation: 'Delete Campaign',
    summary: 'Delete a campaign that does not run, with the history of its runs',
    description: 'Its tasks stay.',
    access: writes('scans:trigger'),
    response: Deletion,
  },
  runCampaign: {
    method: 'POST',
    path: `${base}/{id}/run`,
    operation: 'Run Campaign',
    summary: 'Run a campaign',
    description:
      'A queued task makes the tasks of the run: follow `taskId` at `/api/v1/tasks/{id}`. `resource` is the run. One that ' +
      'runs already: 400 `conflict`. It takes the place of a start that was planned once; a recurrence goes on.',
    access: writes('scans:trigger'),
    response: QueuedResponse,
  },
  cancelCampaign: {
    method: 'POST',
    path: `${base}/{id}/cancel`,
    summary: 'Cancel a campaign that runs, is paused or is scheduled',
    description:
      'What waits is cancelled; what runs is cancelled when its appliance confirms or its lease ends. Its schedule ends ' +
      'with it.',
    access: writes('scans:trigger'),
    response: ApexCampaign,
  },
  pauseCampaign: {
    method: 'POST',
    path: `${base}/{id}/pause`,
    summary: 'Pause a campaign that runs',
    description: 'Nothing more is handed out; appliances that hold its tasks are told to hold still.',
    access: writes('scans:trigger'),
    response: ApexCampaign,
  },
  resumeCampaign: {
    method: 'POST',
    path: `${base}/{id}/resume`,
    summary: 'Resume a campaign that is paused',
    access: writes('scans:trigger'),
    response: ApexCampaign,
  },
  listCampaignRuns: {
    method: 'GET',
    path: `${base}/{id}/runs`,
    summary: 'List the runs of a campaign, newest first, with what each has come to',
    access: reads('scans:trigger'),
    query: Pagination,
    response: pageOf(ApexCampaignRunListItem),
  },
});
