import * as z from 'zod';
import { reads, writes } from '#shared/auth/access.ts';
import { EngagementListItem } from '#shared/engagements/view.ts';
import { ENGAGEMENT_STATUSES, Engagement } from '#shared/entities/engagement.ts';
import { Pagination, pageOf } from '#shared/http/pagination.ts';
import { createBody, patchBody, VersionRead } from '#shared/http/records.ts';
import { defineRoutes } from '#shared/http/route.ts';
import { QueuedResponse } from '#shared/jobs/task.ts';

const base = '/api/v1/validation-operations/engagements';

const Reason = z.string().trim().min(1).max(500);

export const engagementRoutes = defineRoutes({
  listEngagements: {
    method: 'GET',
    path: base,
    operation: 'HandleListEngagements',
    summary: 'List engagements, newest first',
    access: reads('scans:trigger'),
    query: Pagination.extend({ status: z.enum(ENGAGEMENT_STATUSES).optional() }),
    response: pageOf(EngagementListItem),
  },
  listEngagementRequests: {
    method: 'GET',
    path: `${base}/requests`,
    operation: 'HandleGetPendingRequests',
    summary: 'List the engagements that wait for a decision, newest first',
    access: reads('scans:trigger'),
    query: Pagination,
    response: pageOf(EngagementListItem),
  },
  createEngagement: {
    method: 'POST',
    path: base,
    operation: 'HandleCreateEngagement',
    summary: 'Create an engagement; its scanner tasks are made by a queued task',
    description:
      'One task is made per task type and target that the type works on. Ranges: one task per 256 addresses for ' +
      '`network`, one per address for the others; at most 65,536 addresses and tasks together. Exclusions are enforced: ' +
      'an address or range is carved out of ranges, a domain covers the names below it, a URL covers those below it (to ' +
      'keep scans away from a host, exclude the host). Excluded names of a domain and pages of a site that are within a ' +
      'target go to the scanner with its task (`exclusions`, at most 50). Host names are not resolved. Follow `taskId` ' +
      'at `/api/v1/tasks/{id}`.',
    access: reads('scans:trigger'),
    body: createBody(Engagement, [
      'title',
      'description',
      'kind',
      'targets',
      'exclusions',
      'taskTypes',
      'parameters',
      'scannerGroupId',
      'publicScannerGroupId',
      'credentialIds',
      'schedule',
      'windows',
      'intensity',
      'rulesOfEngagement',
      'leadId',
      'memberIds',
      'retestOf',
      'dueAt',
      'tags',
    ]),
    response: QueuedResponse,
  },
  updateEngagement: {
    method: 'PATCH',
    path: `${base}/{id}`,
    summary: 'Change an engagement',
    description:
      'A merge patch. Title, description, tags, due date, lead and members change until it ends; everything else only ' +
      'before its tasks are made, or between two runs (`conflict`). A change that needs a decision, by public scanners ' +
      'or exploitation, brings it back to `requested`.',
    access: writes('scans:trigger'),
    body: patchBody(Engagement),
    response: Engagement,
  },
  approveEngagement: {
    method: 'POST',
    path: `${base}/{id}/approve`,
    summary: 'Approve an engagement that was requested: it starts as it is scheduled',
    description:
      'Exploitation and public scanners are decided by an administrator. With the `version` that was read, one that was ' +
      'changed since is not approved.',
    access: { role: 'analyst' },
    body: z.strictObject({ version: VersionRead }),
    response: Engagement,
  },
  rejectEngagement: {
    method: 'POST',
    path: `${base}/{id}/reject`,
    summary: 'Reject an engagement that was requested',
    access: { role: 'analyst' },
    body: z.strictObject({
      reason: Reason.meta({ example: 'The owner of the system has not agreed.' }),
      version: VersionRead,
    }),
    response: Engagement,
  },
  cancelEngagement: {
    method: 'POST',
    path: `${base}/{id}/cancel`,
    summary: 'Cancel an engagement',
    description:
      'Tasks that wait are cancelled at once, those that run when their scanner hears of it with its next poll. One ' +
      'that a scanner had finished by then is completed and its findings are taken. The same goes for its Apex campaigns ' +
      'and tasks.',
    access: writes('scans:trigger'),
    body: z.strictObject({ reason: Reason.nullable().default(null) }),
    response: Engagement,
  },
});
