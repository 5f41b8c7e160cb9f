import { changedSettings, readSettings } from '#shared/credentials/organization-settings.ts';
import { readPolicies } from '#shared/findings/sla/sla-policies.ts';
import { changeSettings } from '#shared/organizations/change-settings.ts';
import { deletionTime } from '#shared/organizations/deletion.ts';
import { bySecondPerson } from '#shared/people/second-person.ts';
import { admin } from '#shared/platform/auth/access.ts';
import { isAllowed } from '#shared/platform/auth/permissions.ts';
import { useInMemory } from '#shared/platform/http/fair-use.ts';
import { pageOfArray } from '#shared/platform/http/pagination.ts';
import type { Handlers } from '#shared/platform/http/route.ts';
import { changedLimits } from '#shared/platform/quotas/limits.ts';
import { readUse } from '#shared/platform/quotas/places.ts';
import type { configRoutes } from './routes.ts';
import { configItems, deletionItems, organizationItems, quotaItems, timesToFix } from './settings.ts';

export const configHandlers: Handlers<typeof configRoutes> = {
  async listConfig({ connections, table, caller, query }) {
    const [settings, limits, use, policies, deletionAt] = await Promise.all([
      changedSettings(table),
      changedLimits(table),
      readUse(table),
      readPolicies(table),
      isAllowed(caller, admin) ? deletionTime(table.dynamo, table.organizationId) : undefined,
    ]);
    const inMemory = Object.entries(useInMemory(table.organizationId));
    const quotas = quotaItems(limits, new Map([...use, ...inMemory]));
    return pageOfArray(
      [
        ...configItems(connections.settings),
        ...deletionItems(deletionAt),
        ...timesToFix(policies),
        ...organizationItems(settings),
        ...quotas,
      ],
      query,
    );
  },

  getOrganizationSettings: ({ table }) => readSettings(table),

  async updateOrganizationSettings(call) {
    const { table, body } = call;
    const { irreversibleNeedsSecondPerson: before } = await readSettings(table);
    const { irreversibleNeedsSecondPerson: after = before } = body;
    const weakens = before && body.exploitationNeedsSecondPerson === false;
    const change = async () => {
      await changeSettings(table, body);
      return readSettings(table);
    };
    return (after ?? false) !== before || weakens ? bySecondPerson(call, change) : change();
  },
};
