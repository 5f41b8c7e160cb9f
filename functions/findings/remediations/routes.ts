import * as z from 'zod';
import { REMEDIATION_STATUSES, Remediation } from '#shared/findings/triage/remediation.ts';
import { reads, writes } from '#shared/platform/auth/access.ts';
import { teamFilterParameters } from '#shared/platform/filter/read.ts';
import { anyOf, Listing, onlyTrue, SearchQuery, searchPageOf } from '#shared/platform/http/pagination.ts';
import { createBody, Deletion, patchBody, text } from '#shared/platform/http/records.ts';
import { defineRoutes, get, patch, post, remove } from '#shared/platform/http/route.ts';

const path = '/api/v1/remediations';

const RemediationsQuery = Listing.extend({
  status: anyOf(z.enum(REMEDIATION_STATUSES)).optional(),
  assigneeId: text(120).optional().meta({ description: '`me`; `none` for records without an assignee' }),
  teamId: teamFilterParameters.teamId,
  overdue: onlyTrue.meta({ description: 'planned or in progress, and due yesterday or earlier (UTC)' }),
  search: SearchQuery.shape.search.optional().meta({ description: 'words of the title' }),
});
export type RemediationsQuery = z.output<typeof RemediationsQuery>;

const LINKS =
  '`findingIds` (up to 1,000, of default branches) are linked by the task `taskId`; then `progress` counts them. `PATCH ' +
  '/api/v1/findings` with `addRemediationId` links all findings that fit a filter.';

export const remediationRoutes = defineRoutes({
  listRemediations: get(path, {
    summary: 'List remediations, newest first',
    description:
      'The filters combine with each other and with `search`. `progress` comes from counters. A role for a part of the organization ' +
      'has the remediations that you made or that are assigned to you, with the progress of the findings of the part.',
    access: reads('findings:read'),
    inPart: 'seen',
    query: RemediationsQuery,
    response: searchPageOf(Remediation),
  }),
  createRemediation: post(path, {
    summary: 'Create a remediation: work that repairs several findings',
    description: LINKS,
    access: writes('findings:write'),
    inPart: 'seen',
    body: createBody(Remediation),
    response: Remediation,
  }),
  getRemediation: get(`${path}/{id}`, {
    summary: 'Read a remediation with its progress',
    description:
      '`verified` means that scans have proven all of its findings gone. When one of these findings is no longer proven gone, the ' +
      'remediation becomes `in_progress`; a `done` remediation stays `done` until scans have proven all findings gone. Lists show ' +
      'the change within an hour.',
    access: reads('findings:read'),
    inPart: 'seen',
    response: Remediation,
  }),
  updateRemediation: patch(`${path}/{id}`, {
    summary: 'Change a remediation, or link other findings',
    description:
      `A merge patch. ${LINKS} A remediation that is set to \`done\` is answered as \`verified\` if scans have already proven all of ` +
      'its findings gone.',
    access: writes('findings:write'),
    inPart: 'seen',
    body: patchBody(Remediation),
    response: Remediation,
  }),
  deleteRemediation: remove(`${path}/{id}`, {
    summary: 'Delete a remediation',
    description: 'A task unlinks the findings; the findings do not change otherwise.',
    access: writes('findings:write'),
    inPart: 'seen',
    irreversible: true,
    response: Deletion,
  }),
});
