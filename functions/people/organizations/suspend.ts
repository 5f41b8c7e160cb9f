import type { StoredOrganization } from '#shared/credentials/organization.ts';
import { changeOrganization } from '#shared/organizations/change.ts';
import { assertNoProvider } from '#shared/organizations/work.ts';
import type { Call } from '#shared/platform/http/route.ts';
import { now } from '#shared/platform/runtime/clock.ts';
import { conflict } from '#shared/platform/runtime/errors.ts';
import { inOrganization } from '#shared/platform/table/table.ts';
import type { maintenanceRoutes } from './maintenance-routes.ts';

type Routes = typeof maintenanceRoutes;

/** @throws not_found, conflict for an organization of the provider and for a suspended one */
export async function suspend({ table, caller, params, body }: Call<Routes['suspendOrganization']>) {
  const suspended = await changeOrganization(table, params.id, async ({ id, suspension }) => {
    if (suspension) throw conflict(`The organization is suspended since ${suspension.at}.`);
    await assertNoProvider(table, inOrganization(table, id));
    return { suspension: { at: now(), by: { id: caller.id, name: caller.name }, reason: body.reason } };
  });
  return serviceOf(suspended);
}

/** @throws not_found, conflict for an organization that is not suspended */
export async function resume({ table, params }: Call<Routes['resumeOrganization']>) {
  const resumed = await changeOrganization(table, params.id, async ({ suspension }) => {
    if (!suspension) throw conflict('The organization is not suspended.');
    return { suspension: null };
  });
  return serviceOf(resumed);
}

const serviceOf = ({ id, suspension = null }: StoredOrganization) => ({ organizationId: id, suspension });
