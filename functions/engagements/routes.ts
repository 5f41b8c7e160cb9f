import type * as z from 'zod';
import { Engagement } from '#shared/entities/engagement.ts';
import { Pagination, pageOf } from '#shared/http/pagination.ts';
import { createBody } from '#shared/http/records.ts';
import { defineRoutes } from '#shared/http/route.ts';
import { QueuedResponse } from '#shared/jobs/task.ts';

const base = '/api/v1/validation-operations/engagements';
const reading = { role: 'viewer', scope: 'scans:trigger' } as const;

/** A list item: without the long fields. */
const EngagementListItem = Engagement.omit({
  description: true,
  targets: true,
  exclusions: true,
  parameters: true,
  rulesOfEngagement: true,
  retestOf: true,
  findings: true,
}).meta({
  id: 'EngagementListItem',
});
export type EngagementListItem = z.infer<typeof EngagementListItem>;

export const engagementRoutes = defineRoutes({
  listEngagements: {
    method: 'GET',
    path: base,
    operation: 'HandleListEngagements',
    summary: 'List engagements, newest first',
    access: reading,
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
      'keep scans away from a host, exclude the host). Host names are not resolved. Follow `taskId` at `/api/v1/tasks/{id}`.',
    access: reading,
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
  getEngagement: {
    method: 'GET',
    path: `${base}/{id}`,
    summary: 'Read an engagement, with the counts of its tasks',
    access: reading,
    response: Engagement,
  },
});
