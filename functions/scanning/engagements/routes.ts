import * as z from 'zod';
import { analystOf, approves, reads, readsScans, writes } from '#shared/platform/auth/access.ts';
import { filterParameters } from '#shared/platform/filter/read.ts';
import { Listing, pageOf } from '#shared/platform/http/pagination.ts';
import { patchBody, VersionRead } from '#shared/platform/http/records.ts';
import { defineRoutes, get, patch, post } from '#shared/platform/http/route.ts';
import { QueuedResponse } from '#shared/platform/jobs/task.ts';
import { ENGAGEMENT_STATUSES, Engagement, EngagementCreate } from '#shared/scanning/engagements/engagement.ts';
import { EngagementListItem } from '#shared/scanning/engagements/view.ts';

const base = '/api/v1/validation-operations/engagements';

const Reason = z.string().trim().min(1).max(500);

export const engagementRoutes = defineRoutes({
  listEngagements: get(base, {
    operation: 'HandleListEngagements',
    summary: 'List engagements, newest first',
    description:
      '`status` and `tasks` come from the current tasks. `credentialIds` is empty for callers who may not use credentials. Read ' +
      'one engagement for its targets, parameters, rules and counts of findings.',
    access: readsScans,
    query: Listing.extend({ ...filterParameters, status: z.enum(ENGAGEMENT_STATUSES).optional() }),
    response: pageOf(EngagementListItem),
  }),
  listEngagementRequests: get(`${base}/requests`, {
    operation: 'HandleGetPendingRequests',
    summary: 'List the engagements that wait for a decision, newest first',
    description:
      'A request waits until a person approves, rejects or cancels it. Its schedule starts nothing before the approval.',
    access: readsScans,
    query: Listing,
    response: pageOf(EngagementListItem),
  }),
  createEngagement: post(base, {
    operation: 'HandleCreateEngagement',
    summary: 'Create an engagement; a queued task creates its scanner tasks',
    description:
      'Creates one task per task type and target that the type supports. Ranges: `network` has one task per 256 addresses, the ' +
      'other types have one task per address; the limits are 65,536 addresses and 65,536 tasks. A range such as ' +
      '`10.0.0.5-10.0.0.9` or `10.0.0.5-9` has the type `cidr` and is stored as the CIDRs that contain its addresses. A name that ' +
      'a tool may read as addresses (`10.0.0.1-9`, `0x7f.1`, `127.1`) is refused. Exclusions are enforced: an excluded address or ' +
      'range is removed from ranges, an excluded domain covers the names below it, and an excluded URL covers the pages below it ' +
      '(to keep scans away from a host, exclude the host). The task of the scanner has the excluded names and pages within its ' +
      'target, and for a name all excluded addresses (`exclusions`, at most 100): the scanner resolves the name and does not touch ' +
      'them. Shared pools accept only targets of the public network. Follow `taskId` at `/api/v1/tasks/{id}`.',
    access: reads('scans:trigger'),
    body: EngagementCreate,
    response: QueuedResponse,
  }),
  updateEngagement: patch(`${base}/{id}`, {
    summary: 'Change an engagement',
    description:
      'A merge patch. Title, description, tags, due date, lead and members can change until the engagement ends. All other fields ' +
      'can change only before the tasks are created or between two runs (otherwise `conflict`). A change to public scanners or ' +
      'exploitation needs a decision and sets the status to `requested`.',
    access: writes('scans:trigger'),
    body: patchBody(Engagement),
    response: Engagement,
  }),
  approveEngagement: post(`${base}/{id}/approve`, {
    summary: 'Approve a requested engagement, which then starts by its schedule',
    description:
      'Only an administrator can approve exploitation, public scanners and credentials outside of their targets. Exploitation ' +
      'needs an administrator who has not planned the engagement (`plannedBy`), unless the organization turned that setting off. ' +
      '`approvedBy` keeps the approver and the `reason`. Send the `version` that you read, so that you do not approve an ' +
      'engagement that has changed meanwhile.',
    access: approves(analystOf('scanning')),
    body: z.strictObject({
      reason: Reason.nullable().default(null).meta({ example: 'The owner of the system has agreed.' }),
      version: VersionRead,
    }),
    response: Engagement,
  }),
  runEngagement: post(`${base}/{id}/run`, {
    summary: 'Run a scheduled engagement now',
    description:
      'Starts a run at once; the schedule stays. The request is refused as `conflict` while a run is in progress and before the ' +
      'engagement is approved. Follow `taskId`, which creates the scanner tasks; the run is the first of `.../runs`.',
    access: writes('scans:trigger'),
    response: QueuedResponse,
  }),
  rejectEngagement: post(`${base}/{id}/reject`, {
    summary: 'Reject a requested engagement',
    description:
      '`reason` becomes the `statusReason`. The rejection is final: another attempt needs a new engagement. The open tasks and ' +
      'campaigns of the engagement are cancelled. Only an administrator can reject an engagement that only an administrator can ' +
      'approve. An engagement that is not `requested` is refused as `conflict`.',
    access: analystOf('scanning'),
    body: z.strictObject({
      reason: Reason.meta({ example: 'The owner of the system has not agreed.' }),
      version: VersionRead,
    }),
    response: Engagement,
  }),
  cancelEngagement: post(`${base}/{id}/cancel`, {
    summary: 'Cancel an engagement',
    description:
      'Waiting tasks are cancelled at once, running tasks with the next poll of their scanner. A task that finishes before that ' +
      'poll is completed, and its findings are kept. The same applies to Apex campaigns and tasks.',
    access: writes('scans:trigger'),
    body: z.strictObject({ reason: Reason.nullable().default(null) }),
    response: Engagement,
  }),
});
