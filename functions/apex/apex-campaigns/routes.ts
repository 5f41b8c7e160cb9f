import * as z from 'zod';
import { ApexCampaign, ApexCampaignCreate, ApexCampaignRun, CAMPAIGN_STATUSES } from '#shared/apex/apex-campaign.ts';
import { readsScans, writes } from '#shared/platform/auth/access.ts';
import { Pagination, pageOf } from '#shared/platform/http/pagination.ts';
import { Deletion, Id, patchBody } from '#shared/platform/http/records.ts';
import { defineRoutes } from '#shared/platform/http/route.ts';
import { QueuedResponse } from '#shared/platform/jobs/task.ts';

const base = '/api/v1/validation-operations/apex/campaigns';

/** A campaign in lists, without the long fields. */
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
    description: '`status` filters all campaigns; `engagementId` lists those of one engagement. Give only one of them.',
    access: readsScans,
    query: Pagination.extend({ status: z.enum(CAMPAIGN_STATUSES).optional(), engagementId: Id.optional() }),
    response: pageOf(ApexCampaignListItem),
  },
  createCampaign: {
    method: 'POST',
    path: base,
    operation: 'Create Campaign',
    summary: 'Create a campaign',
    description:
      'Without a `schedule` it is a draft. With one it is scheduled: it runs once at `startAt`, or by its ' +
      '`recurrence` until no start is left or the campaign is cancelled. A recurrence without `startAt` uses the ' +
      'time of day of the creation and starts now if that fits the rule. A start during the previous run is kept as ' +
      '`skipped`. Each template becomes one task of a run, in the order of `dependsOn`; a circle is refused. ' +
      'Templates of a type that exploits need an engagement whose rules allow it, and their tasks wait for approval.',
    access: writes('scans:trigger'),
    body: ApexCampaignCreate,
    response: ApexCampaign,
  },
  getCampaign: {
    method: 'GET',
    path: `${base}/{id}`,
    operation: 'Get Campaign',
    summary: 'Read a campaign, with the totals of its current or last run',
    description:
      'The totals are live while `currentRun` is set, and those of the last run afterwards. All are 0 before ' +
      'the first run.',
    access: readsScans,
    response: ApexCampaign,
  },
  updateCampaign: {
    method: 'PATCH',
    path: `${base}/{id}`,
    operation: 'Update Campaign',
    summary: 'Change a campaign',
    description:
      'While it runs or is paused only `name`, `description`, `limits`, `schedule` and `onTaskFailure` may change; ' +
      'limits take effect at once, `maxDurationSeconds` with the next run. With `schedule: null` it is run by hand.',
    access: writes('scans:trigger'),
    body: patchBody(ApexCampaign),
    response: ApexCampaign,
  },
  deleteCampaign: {
    method: 'DELETE',
    path: `${base}/{id}`,
    operation: 'Delete Campaign',
    summary: 'Delete a campaign that does not run, and the history of its runs',
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
      'A queued task makes the tasks of the run: follow `taskId` at `/api/v1/tasks/{id}`. `resource` is the run. A ' +
      'campaign that runs already answers 400 `conflict`. The run replaces a single planned start; a recurrence goes ' +
      'on.',
    access: writes('scans:trigger'),
    response: QueuedResponse,
  },
  cancelCampaign: {
    method: 'POST',
    path: `${base}/{id}/cancel`,
    summary: 'Cancel a running, paused or scheduled campaign',
    description:
      'Waiting tasks are cancelled at once, running tasks when their appliance confirms or the lease ends. The ' +
      'schedule ends too.',
    access: writes('scans:trigger'),
    response: ApexCampaign,
  },
  pauseCampaign: {
    method: 'POST',
    path: `${base}/{id}/pause`,
    summary: 'Pause a running campaign',
    description: 'No more tasks are leased; appliances are told to pause the tasks that they hold.',
    access: writes('scans:trigger'),
    response: ApexCampaign,
  },
  resumeCampaign: {
    method: 'POST',
    path: `${base}/{id}/resume`,
    summary: 'Resume a paused campaign',
    description:
      'Its tasks are leased again, and appliances are told to go on with those that they hold. The pause ' +
      'counts towards `maxDurationSeconds`. A campaign that is not paused is refused as `conflict`.',
    access: writes('scans:trigger'),
    response: ApexCampaign,
  },
  listCampaignRuns: {
    method: 'GET',
    path: `${base}/{id}/runs`,
    summary: 'List the runs of a campaign, newest first, with their totals',
    description:
      'A start that came during the previous run is listed as `skipped`, without `startedAt`. The totals of a ' +
      'run that goes on are live. The list is empty before the first run.',
    access: readsScans,
    query: Pagination,
    response: pageOf(ApexCampaignRunListItem),
  },
});
