import { assigneeIn, yesterday } from '#shared/findings/finding/filter.ts';
import { type Remediation, remediations, type StoredRemediation } from '#shared/findings/triage/remediation.ts';
import { changeRemediation, progressOf, settledStatus } from '#shared/findings/triage/remediations.ts';
import { withPresentName } from '#shared/people/present-names.ts';
import { withSecondPerson } from '#shared/people/second-person.ts';
import { peopleOfTeams } from '#shared/people/team.ts';
import type { Caller } from '#shared/platform/auth/permissions.ts';
import { showEach } from '#shared/platform/http/pagination.ts';
import type { Handlers } from '#shared/platform/http/route.ts';
import { retry } from '#shared/platform/runtime/retry.ts';
import type { ListQuery } from '#shared/platform/table/list.ts';
import { openTable, type Table, withoutPart } from '#shared/platform/table/table.ts';
import type { RemediationsQuery, remediationRoutes } from './routes.ts';
import { createRemediation, removeRemediation, updateRemediation } from './save.ts';

/** The remediation as all of its findings show it: a read that finds a difference updates the record. */
async function shown(table: Table, stored: StoredRemediation): Promise<Remediation> {
  const [progress, ofAll] = await Promise.all([
    progressOf(table, stored.id),
    table.part && progressOf(withoutPart(table), stored.id),
  ]);
  const isSettled = settledStatus(stored.status, ofAll ?? progress) === stored.status;
  const { checkAt: _checkAt, ...current } = isSettled ? stored : await settle(table, stored.id);
  return { ...(await withPresentName(table, 'assignee', current)), progress };
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

type Asking = { table: Table; caller: Caller };

async function listQuery(
  { table, caller }: Asking,
  { status, assigneeId, teamId, overdue, search, ...page }: RemediationsQuery,
): Promise<ListQuery> {
  const assignee = assigneeIn(assigneeId, caller);
  const where = { ...(status && { status }), ...(assignee !== undefined && { assigneeId: assignee }) };
  const people = teamId && ((await peopleOfTeams(table, [teamId])).get(teamId) ?? [teamId]);
  return {
    ...page,
    ...(Object.keys(where).length > 0 && { where }),
    ...(overdue && { between: { due: { to: yesterday() } } }),
    ...(search !== undefined && { search }),
    ...(people && { matching: { name: 'assigneeId', values: people } }),
  };
}

export const remediationHandlers: Handlers<typeof remediationRoutes> = {
  listRemediations: async ({ table, caller, query }) =>
    showEach(table.list(remediations, await listQuery({ table, caller }, query)), (one) => shown(table, one)),

  createRemediation: async (call) => shown(call.table, await createRemediation(call)),

  getRemediation: async ({ table, params }) => shown(table, await table.get(remediations, params.id, true)),

  updateRemediation: async (call) => shown(call.table, await updateRemediation(call)),

  async deleteRemediation(call) {
    await call.table.get(remediations, call.params.id);
    return withSecondPerson(call, () => removeRemediation(call, call.params.id));
  },
};
