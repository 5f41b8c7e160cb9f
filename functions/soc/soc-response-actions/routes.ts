import * as z from 'zod';
import { approves, reads, writes } from '#shared/platform/auth/access.ts';
import { Pagination, pageOf } from '#shared/platform/http/pagination.ts';
import { createBody, Id } from '#shared/platform/http/records.ts';
import { defineRoutes } from '#shared/platform/http/route.ts';
import { RESPONSE_STATUSES, ResponseAction } from '#shared/soc/incidents/response-action.ts';

const path = '/api/v1/soc/response-actions';

const Decision = z
  .strictObject({ reason: z.string().trim().min(1).max(1000).nullable().default(null) })
  .meta({ id: 'ResponseDecision', example: { reason: 'agreed with the owner of the host' } });

export const socResponseActionRoutes = defineRoutes({
  listResponseActions: {
    method: 'GET',
    path,
    summary: 'List response actions, newest first',
    description: 'Of all incidents or of one; `status` combines with `incidentId`.',
    access: reads('soc:read'),
    query: Pagination.extend({ status: z.enum(RESPONSE_STATUSES).optional(), incidentId: Id.optional() }),
    response: pageOf(ResponseAction),
  },
  createResponseAction: {
    method: 'POST',
    path: '/api/v1/soc/incidents/{id}/response-actions',
    summary: 'Ask for a step against an attack that an integrator is to take',
    description:
      'It waits until another person than the one who asked approves it, or who made the API key that asked (docs/soc.md), and is then handed to an integrator that offers its ' +
      'type, once.',
    access: writes('soc:write'),
    body: createBody(ResponseAction),
    response: ResponseAction,
  },
  getResponseAction: {
    method: 'GET',
    path: `${path}/{id}`,
    summary: 'Read a response action with its result',
    description:
      'One that failed with `lease_expired` may have been done: its integrator fell silent while it worked on it.',
    access: reads('soc:read'),
    response: ResponseAction,
  },
  approveResponseAction: {
    method: 'POST',
    path: `${path}/{id}/approve`,
    summary: 'Approve a response action that somebody else asked for',
    description:
      'Refused (`conflict`) for the account that asked for it, or that made the API key which asked. `timeoutSeconds` count from now.',
    access: approves('analyst'),
    body: Decision,
    response: ResponseAction,
  },
  denyResponseAction: {
    method: 'POST',
    path: `${path}/{id}/deny`,
    summary: 'Deny a response action, or take it back',
    description: 'Until an integrator has it. Whoever asked for it may take it back so.',
    access: writes('soc:write'),
    body: Decision,
    response: ResponseAction,
  },
});
