import * as z from 'zod';
import { ApexCampaign, ApexCampaignCreate, ApexCampaignRun, CAMPAIGN_STATUSES } from '#shared/apex/apex-campaign.ts';
import { readsScans, writes } from '#shared/platform/auth/access.ts';
import { Listing, pageOf, SearchQuery, searchPageOf } from '#shared/platform/http/pagination.ts';
import { Deletion, Id, patchBody } from '#shared/platform/http/records.ts';
import { defineRoutes, get, patch, post, remove } from '#shared/platform/http/route.ts';
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
  listCampaigns: get(base, {
    operation: 'List Campaigns',
    summary: 'List campaigns, newest first',
    description:
      '`status` filters all campaigns; `engagementId` lists the campaigns of an engagement; `search` finds ' +
      'words of the name. Send only one of the three.',
    access: readsScans,
    query: Listing.extend({
      status: z.enum(CAMPAIGN_STATUSES).optional(),
      engagementId: Id.optional(),
      search: SearchQuery.shape.search.optional(),
    }),
    response: searchPageOf(ApexCampaignListItem),
  }),
  createCampaign: post(base, {
    operation: 'Create Campaign',
    summary: 'Create a campaign',
    description:
      'Without a `schedule` the campaign is a draft. With a `schedule` it is scheduled: it runs once at `startAt`, or by its ' +
      '`recurrence` until no start is left or the campaign is cancelled. A recurrence without `startAt` uses the time of day of ' +
      'the creation, and starts now if the rule allows it. A start during the previous run is recorded as `skipped`. Each template ' +
      'becomes one task of a run, in the order of `dependsOn`; a circle is refused. Templates of a type that exploits need an ' +
      'engagement whose rules allow exploitation, and their tasks wait for approval.',
    access: writes('scans:trigger'),
    body: ApexCampaignCreate,
    response: ApexCampaign,
  }),
  getCampaign: get(`${base}/{id}`, {
    operation: 'Get Campaign',
    summary: 'Read a campaign, with the totals of its current or last run',
    description:
      'The totals are live while `currentRun` is set; afterwards they are the totals of the last run. All totals are 0 before the ' +
      'first run.',
    access: readsScans,
    response: ApexCampaign,
  }),
  updateCampaign: patch(`${base}/{id}`, {
    operation: 'Update Campaign',
    summary: 'Change a campaign',
    description:
      'While the campaign runs or is paused, only `name`, `description`, `limits`, `schedule` and `onTaskFailure` may change; ' +
      'limits take effect at once, except `maxDurationSeconds`, which takes effect with the next run. `schedule: null` means that ' +
      'the campaign is run by hand.',
    access: writes('scans:trigger'),
    body: patchBody(ApexCampaign),
    response: ApexCampaign,
  }),
  deleteCampaign: remove(`${base}/{id}`, {
    operation: 'Delete Campaign',
    summary: 'Delete a campaign that is not running, and the history of its runs',
    description: 'Its tasks stay.',
    access: writes('scans:trigger'),
    irreversible: true,
    response: Deletion,
  }),
  runCampaign: post(`${base}/{id}/run`, {
    operation: 'Run Campaign',
    summary: 'Run a campaign',
    description:
      'A queued task creates the tasks of the run: follow `taskId` at `/api/v1/tasks/{id}`. `resource` is the run. A campaign that ' +
      'already runs is refused as `conflict`. The run replaces a single planned start; a recurrence continues.',
    access: writes('scans:trigger'),
    response: QueuedResponse,
  }),
  cancelCampaign: post(`${base}/{id}/cancel`, {
    summary: 'Cancel a running, paused or scheduled campaign',
    description:
      'Waiting tasks are cancelled at once, running tasks when their appliance confirms or the lease ends. The ' +
      'schedule ends too.',
    access: writes('scans:trigger'),
    response: ApexCampaign,
  }),
  pauseCampaign: post(`${base}/{id}/pause`, {
    summary: 'Pause a running campaign',
    description: 'No more tasks are leased; appliances get the command to pause the tasks that they hold.',
    access: writes('scans:trigger'),
    response: ApexCampaign,
  }),
  resumeCampaign: post(`${base}/{id}/resume`, {
    summary: 'Resume a paused campaign',
    description:
      'Tasks of the campaign are leased again, and appliances get the command to continue the tasks that they hold. The pause ' +
      'counts towards `maxDurationSeconds`. A campaign that is not paused is refused as `conflict`.',
    access: writes('scans:trigger'),
    response: ApexCampaign,
  }),
  listCampaignRuns: get(`${base}/{id}/runs`, {
    summary: 'List the runs of a campaign, newest first, with their totals',
    description:
      'A start during the previous run is listed as `skipped`, without `startedAt`. The totals of a current run are live. The list ' +
      'is empty before the first run.',
    access: readsScans,
    query: Listing,
    response: pageOf(ApexCampaignRunListItem),
  }),
});
