import { assigneeIn, yesterday } from '#shared/findings/finding/filter.ts';
import { type Remediation, remediations, type StoredRemediation } from '#shared/findings/triage/remediation.ts';
import { changeRemediation, progressOf, settledStatus } from '#shared/findings/triage/remediations.ts';
import type { Caller } from '#shared/platform/auth/permissions.ts';
import { showEach } from '#shared/platform/http/pagination.ts';
import type { Handlers } from '#shared/platform/http/route.ts';
import { retry } from '#shared/platform/runtime/retry.ts';
import type { ListQuery } from '#shared/platform/table/list.ts';
import { openTable, type Table } from '#shared/platform/table/table.ts';
import type { RemediationsQuery, remediationRoutes } from './routes.ts';
import { createRemediation, removeRemediation, updateRemediation } from './save.ts';

/** The remediation as its findings show it: a read that finds a difference updates the record. */
async function shown(table: Table, stored: StoredRemediation): Promise<Remediation> {
  const progress = await progressOf(table, stored.id);
  const isSettled = settledStatus(stored.status, progress) === stored.status;
  const { checkAt: _checkAt, ...current } = isSettled ? stored : await settle(table, stored.id);
  return { ...current, progress };
}

/** Nobody decides this: the change is the system's. */
function settle({ dynamo, organizationId }: Table, id: string): Promise<StoredRemediation> {
  const table = openTable(dynamo, organizationId);
  return retry(async () => {
    const current = await table.get(remediations, id, true);
    const status = settledStatus(current.status, await progressOf(table, id));
    if (status === current.status) return current;
    return table.commit((batch) => changeRemediation({ table, batch }, current, { status }));
  });
}

function listQuery({ status, assigneeId, overdue, search, ...page }: RemediationsQuery, caller: Caller): ListQuery {
  const assignee = assigneeIn(assigneeId, caller);
  const where = { ...(status && { status }), ...(assignee !== undefined && { assigneeId: assignee }) };
  return {
    ...page,
    ...(Object.keys(where).length > 0 && { where }),
    ...(overdue && { between: { due: { to: yesterday() } } }),
    ...(search !== undefined && { search }),
  };
}

export const remediationHandlers: Handlers<typeof remediationRoutes> = {
  listRemediations: ({ table, caller, query }) =>
    showEach(table.list(remediations, listQuery(query, caller)), (one) => shown(table, one)),

  createRemediation: async (call) => shown(call.table, await createRemediation(call)),

  getRemediation: async ({ table, params }) => shown(table, await table.get(remediations, params.id, true)),

  updateRemediation: async (call) => shown(call.table, await updateRemediation(call)),

  deleteRemediation: ({ connections, table, params }) => removeRemediation({ connections, table }, params.id),
};
