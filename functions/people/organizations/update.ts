import { changeOrganization } from '#shared/organizations/change.ts';
import { changeLimits } from '#shared/organizations/change-settings.ts';
import { mergePatch } from '#shared/platform/http/records.ts';
import type { Call } from '#shared/platform/http/route.ts';
import { inOrganization } from '#shared/platform/table/table.ts';
import { Organization } from './records.ts';
import type { organizationRoutes } from './routes.ts';
import { shown } from './show.ts';

/** The limits are a row of their own, which follows the record: a request that was broken off between them is repeated. */
export async function updateOrganization(call: Call<typeof organizationRoutes.updateOrganization>) {
  const { table, params, body, ifMatch } = call;
  const organization = await changeOrganization(table, params.id, async (before) => {
    const merged = mergePatch(Organization, await shown(table, before), { patch: body, ifMatch });
    const { limits: _limits, ...changes } = merged ?? {};
    return Object.keys(changes).length === 0 ? undefined : changes;
  });
  if (body.limits) await changeLimits(inOrganization(table, organization.id), body.limits);
  return shown(table, organization);
}
