import * as z from 'zod';
import { APPROVAL_STATUSES, ApprovalRequest } from '#shared/people/approval-request.ts';
import { Listing, pageOf } from '#shared/platform/http/pagination.ts';
import { objectNamed, trimmedText } from '#shared/platform/http/records.ts';
import { defineRoutes, get, post } from '#shared/platform/http/route.ts';

const path = '/api/v1/roles/second-person/requests';
const reader = { role: 'viewer', area: 'any' } as const;

const Refusal = objectNamed('ApprovalRefusal', {
  reason: trimmedText(300).nullable().default(null).meta({ example: 'The asset is still in use' }),
});

/** The requests that wait for a second person. No operation here approves: the second person sends the request itself. */
export const approvalRoutes = defineRoutes({
  listApprovalRequests: get(path, {
    summary: 'List requests for what cannot be undone, newest first',
    description:
      'You see the requests for operations that your role opens; an auditor sees all. To approve a request that is `waiting`, send it yourself: ' +
      '`method`, `path`, `query` and `body` are those of the first person. You have been a user for seven days, and are somebody else. A ' +
      'request ends as `approved` when the operation is done, as `refused`, or as `expired`.',
    access: reader,
    query: Listing.extend({ status: z.enum(APPROVAL_STATUSES).optional() }),
    response: pageOf(ApprovalRequest),
  }),
  getApprovalRequest: get(`${path}/{id}`, {
    summary: 'Read a request for what cannot be undone',
    description: 'A request for an operation that your role does not open is `not_found`.',
    access: reader,
    response: ApprovalRequest,
  }),
  refuseApprovalRequest: post(`${path}/{id}/refuse`, {
    summary: 'Refuse a request for what cannot be undone, or withdraw your own',
    description:
      'For persons who may approve it, and for the person who sent it. A request that is not `waiting` is refused as `conflict`.',
    access: { person: true },
    body: Refusal,
    response: ApprovalRequest,
  }),
});
