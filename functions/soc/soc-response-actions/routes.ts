import * as z from 'zod';
import { analystOf, approves, reads, writes } from '#shared/platform/auth/access.ts';
import { Listing, pageOf } from '#shared/platform/http/pagination.ts';
import { createBody, Id } from '#shared/platform/http/records.ts';
import { defineRoutes, get, post } from '#shared/platform/http/route.ts';
import { RESPONSE_STATUSES, ResponseAction } from '#shared/soc/incidents/response-action.ts';

const path = '/api/v1/soc/response-actions';

const Decision = z
  .strictObject({ reason: z.string().trim().min(1).max(1000).nullable().default(null) })
  .meta({ id: 'ResponseDecision', example: { reason: 'agreed with the owner of the host' } });

export const socResponseActionRoutes = defineRoutes({
  listResponseActions: get(path, {
    summary: 'List response actions, newest first',
    description: 'Lists the response actions of all incidents or of one incident; `status` combines with `incidentId`.',
    access: reads('soc:read'),
    inPart: 'seen',
    query: Listing.extend({ status: z.enum(RESPONSE_STATUSES).optional(), incidentId: Id.optional() }),
    response: pageOf(ResponseAction),
  }),
  createResponseAction: post('/api/v1/soc/incidents/{id}/response-actions', {
    summary: 'Request a response action that an integrator carries out',
    description:
      'The action waits for the approval of another person. The person who requested the action, or who created the API key that ' +
      'requested it, cannot approve it (docs/soc.md). Then an integrator that offers the type of the action gets it, once. With a ' +
      'role for a part of the organization, the target is the name or address of one asset of the part.',
    access: writes('soc:write'),
    inPart: 'seen',
    body: createBody(ResponseAction),
    response: ResponseAction,
  }),
  getResponseAction: get(`${path}/{id}`, {
    summary: 'Read a response action with its result',
    description:
      'An action that failed with `lease_expired` may have been carried out: its integrator fell silent during the action.',
    access: reads('soc:read'),
    inPart: 'seen',
    response: ResponseAction,
  }),
  approveResponseAction: post(`${path}/{id}/approve`, {
    summary: 'Approve a response action that another person requested',
    description:
      'The request is refused (`conflict`) for the account that requested the action, and for the account that created the API key ' +
      'which requested it. `timeoutSeconds` count from the approval.',
    access: approves(analystOf('soc')),
    inPart: 'seen',
    body: Decision,
    response: ResponseAction,
  }),
  denyResponseAction: post(`${path}/{id}/deny`, {
    summary: 'Deny or withdraw a response action',
    description: 'Possible until an integrator has the action. The requester can withdraw the action in this way.',
    access: writes('soc:write'),
    inPart: 'seen',
    body: Decision,
    response: ResponseAction,
  }),
});
