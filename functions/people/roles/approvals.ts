import { type ApprovalRequest, approvalRequests } from '#shared/people/approval-request.ts';
import { decide } from '#shared/people/second-person.ts';
import type { Caller, Use } from '#shared/platform/auth/permissions.ts';
import type { Handlers } from '#shared/platform/http/route.ts';
import { conflict, notFound } from '#shared/platform/runtime/errors.ts';
import { retry } from '#shared/platform/runtime/retry.ts';
import type { Table } from '#shared/platform/table/table.ts';
import type { approvalRoutes } from './approval-routes.ts';
import { irreversibleOf } from './operations.ts';

const openTo = (caller: Caller, use: Use): string[] => ('role' in caller ? irreversibleOf(caller, use) : []);

/** @throws not_found for an operation that the caller's role does not open */
async function seen(table: Table, caller: Caller, id: string, use: Use): Promise<ApprovalRequest> {
  const request = await table.get(approvalRequests, id, true);
  if (request.createdBy.id !== caller.id && !openTo(caller, use).includes(request.operation))
    throw notFound(approvalRequests.name, id);
  return request;
}

export const approvalHandlers: Handlers<typeof approvalRoutes> = {
  listApprovalRequests: ({ table, caller, query: { status, ...page } }) =>
    table.list(approvalRequests, {
      ...page,
      ...(status && { filter: { status } }),
      where: { operation: openTo(caller, 'read') },
    }),

  getApprovalRequest: ({ table, caller, params }) => seen(table, caller, params.id, 'read'),

  refuseApprovalRequest: ({ table, caller, params, body }) =>
    retry(async () => {
      const request = await seen(table, caller, params.id, 'change');
      if (request.status !== 'waiting') throw conflict(`The request is ${request.status} already.`);
      const decidedBy = { id: caller.id, name: caller.name };
      return decide(table, request, { status: 'refused', decidedBy, reason: body.reason });
    }),
};
