import { SalesRequest, salesRequests } from '#shared/people/sales-request.ts';
import { createSalesRequest } from '#shared/people/sales-requests.ts';
import { mergePatch } from '#shared/platform/http/records.ts';
import type { Call, PublicCall } from '#shared/platform/http/route.ts';
import { systemActor } from '#shared/platform/table/actor.ts';
import { GLOBAL_SCOPE } from '#shared/platform/table/layout/keys.ts';
import { inOrganization, openTable, type Table } from '#shared/platform/table/table.ts';
import { admit } from './admit.ts';
import type { intakeRoutes } from './routes.ts';

type Routes = typeof intakeRoutes;

/** Sales requests belong to no organization. */
export const shared = (table: Table): Table => inOrganization(table, GLOBAL_SCOPE);

/** Keeps the request of somebody without a credential. @throws validation_failed, rate_limited, invalid_challenge */
export async function receiveSalesRequest(call: PublicCall<Routes['createSalesRequest']>) {
  const { connections, cause, body } = call;
  const { challenge, ...sent } = body;
  await admit(call, { purpose: 'sales', email: sent.email, solution: challenge });
  await createSalesRequest(openTable(connections.dynamo, GLOBAL_SCOPE, { ...systemActor, cause }), sent);
  return { accepted: true as const };
}

export function listSalesRequests({ table, query }: Call<Routes['listSalesRequests']>) {
  const { status, ...page } = query;
  return shared(table).list(salesRequests, { ...page, ...(status && { where: { status } }) });
}

export const updateSalesRequest = (call: Call<Routes['updateSalesRequest']>): Promise<SalesRequest> => {
  const { table, caller, params, body, ifMatch } = call;
  return shared(table).modify(salesRequests, params.id, (current) => {
    const changes = mergePatch(SalesRequest, current, { patch: body, ifMatch });
    return changes && { ...changes, handledBy: { id: caller.id, name: caller.name } };
  });
};
