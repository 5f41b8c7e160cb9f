import { changedSettings, readSettings } from '#shared/credentials/organization-settings.ts';
import { readPolicies } from '#shared/findings/sla/sla-policies.ts';
import { changeSettings } from '#shared/organizations/change-settings.ts';
import { deletionTime } from '#shared/organizations/deletion.ts';
import { bySecondPerson } from '#shared/people/second-person.ts';
import { admin } from '#shared/platform/auth/access.ts';
import { type Caller, isAllowed } from '#shared/platform/auth/permissions.ts';
import { useInMemory } from '#shared/platform/http/fair-use.ts';
import { pageOfArray } from '#shared/platform/http/pagination.ts';
import type { Handlers } from '#shared/platform/http/route.ts';
import { changedLimits } from '#shared/platform/quotas/limits.ts';
import { readUse } from '#shared/platform/quotas/places.ts';
import { ApiError } from '#shared/platform/runtime/errors.ts';
import type { configRoutes } from './routes.ts';
import { configItems, deletionItems, organizationItems, quotaItems, timesToFix } from './settings.ts';

/** The settings that protect access and what cannot be undone: they would stay weaker when a grant has ended. */
const OWN = [
  'secondStepRequired',
  'maximumCredentialDays',
  'exploitationNeedsSecondPerson',
  'irreversibleNeedsSecondPerson',
] as const;

/** @throws insufficient_scope for the provider's staff who act by a grant */
function assertOwn(caller: Caller, changes: Partial<Record<(typeof OWN)[number], unknown>>): void {
  const own = OWN.filter((name) => changes[name] !== undefined);
  if (own.length === 0 || !('support' in caller) || !caller.support) return;
  throw new ApiError(
    'insufficient_scope',
    `Only people of the organization change ${own.join(', ')}, not the provider's staff by a grant.`,
  );
}

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
    const { table, caller, body } = call;
    assertOwn(caller, body);
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
