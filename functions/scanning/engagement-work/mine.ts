import { organizations } from '#shared/credentials/organization.ts';
import { isStaff } from '#shared/platform/auth/permissions.ts';
import type { Call } from '#shared/platform/http/route.ts';
import { GLOBAL_SCOPE } from '#shared/platform/table/layout/keys.ts';
import { openTable, type Table } from '#shared/platform/table/table.ts';
import { withCounts } from '#shared/scanning/engagement-tasks/show.ts';
import { engagementsOf } from '#shared/scanning/engagements/assigned.ts';
import { hideCredentialIds } from '#shared/scanning/scan-credentials/hide-credential-ids.ts';
import type { engagementWorkRoutes } from './routes.ts';

/** Adds for staff the organization of each engagement. */
export async function listMyEngagements({ table, caller, query }: Call<typeof engagementWorkRoutes.listMyEngagements>) {
  const page = await engagementsOf(table, caller, query);
  const owners = isStaff(caller) ? page.data.map(({ owner }) => owner.organizationId) : [];
  const clients = await readNames(table, owners);
  const data = page.data.map(async ({ owner, engagement }) => ({
    ...hideCredentialIds(caller, await withCounts(owner, engagement)),
    organization: clients.get(owner.organizationId),
  }));
  return { ...page, data: await Promise.all(data) };
}

async function readNames({ dynamo }: Table, organizationIds: readonly string[]) {
  const clients = await openTable(dynamo, GLOBAL_SCOPE).findMany(organizations, organizationIds);
  return new Map(clients.map(({ id, name }) => [id, { id, name }]));
}
