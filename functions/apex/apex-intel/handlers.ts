import { ownerOfEngagement } from '#shared/apex/presence.ts';
import { type AssetIdentity, assetKey, assets } from '#shared/assets/asset/asset.ts';
import type { Scope } from '#shared/assets/targets/covers.ts';
import type { ScanTarget } from '#shared/assets/targets/scan-target.ts';
import { scopeCheck } from '#shared/assets/targets/scope-check.ts';
import { lastSeen } from '#shared/findings/view/last-seen.ts';
import { findingListItem } from '#shared/findings/view/view.ts';
import type { Caller } from '#shared/platform/auth/permissions.ts';
import { pageOfArray, showPage } from '#shared/platform/http/pagination.ts';
import type { Handlers } from '#shared/platform/http/route.ts';
import { notFound } from '#shared/platform/runtime/errors.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { engagements } from '#shared/scanning/engagements/engagement.ts';
import { isAssetInScope, searchAssets } from './assets.ts';
import { findingsInScope } from './findings.ts';
import type { apexIntelRoutes } from './routes.ts';
import { domainsOf, servicesOf, targetsOf, vulnerabilitiesOf } from './summaries.ts';

type IntelCall = { table: Table; caller: Caller; params: { id: string } };

/** The engagement scope, with the table of its organization. */
type VisibleScope = { table: Table; scope: Scope };

/**
 * The engagement scope for a person of the organization, or for an appliance with a lease of the engagement. A public
 * appliance reads in the organization of its lease.
 * @throws not_found
 */
async function visibleScope({ table, caller, params: { id } }: IntelCall): Promise<VisibleScope> {
  const owner = caller.kind === 'machine' ? await ownerOfEngagement(table, caller.id, id) : table;
  if (!owner) throw notFound(engagements.name, id);
  return { table: owner, scope: await owner.get(engagements, id) };
}

const visibleFindings = ({ table, scope }: VisibleScope) => findingsInScope(table, scope);

/** Assets that one search looks at. */
const MAX_MATCHES = 1000;

const flag = (isTruncated: boolean) => (isTruncated ? { truncated: true as const } : {});

export const apexIntelHandlers: Handlers<typeof apexIntelRoutes> = {
  async getEngagementScope({ query, ...call }) {
    const { targets, exclusions } = (await visibleScope(call)).scope;
    const named = (kind: 'target' | 'exclusion') => (item: ScanTarget) => ({ kind, ...item });
    return pageOfArray([...targets.map(named('target')), ...exclusions.map(named('exclusion'))], query);
  },

  async listIntelApplications({ query, ...call }) {
    const { table, scope } = await visibleScope(call);
    return showPage(pageOfArray(targetsOf(scope, 'application'), query), (found) => withAssets(table, found));
  },

  async listIntelRepositories({ query, ...call }) {
    const { table, scope } = await visibleScope(call);
    return showPage(pageOfArray(targetsOf(scope, 'repository'), query), (found) => withAssets(table, found));
  },

  async listIntelDomains({ query, ...call }) {
    return pageOfArray(domainsOf((await visibleScope(call)).scope), query);
  },

  async searchIntelAssets({ query, ...call }) {
    const { table, scope } = await visibleScope(call);
    const check = scopeCheck(scope);
    const { items, isTruncated } = await searchAssets(table, query.search, MAX_MATCHES);
    const covered = items.filter((asset) => isAssetInScope(check, asset));
    return { ...pageOfArray(covered, query), ...flag(isTruncated) };
  },

  async listAttackSurface({ query, ...call }) {
    const { items, assets: covered, isTruncated } = await visibleFindings(await visibleScope(call));
    return { ...pageOfArray(servicesOf(items, covered), query), ...flag(isTruncated) };
  },

  async listIntelFindings({ query, connections, ...call }) {
    const seen = await visibleScope(call);
    const { items, isTruncated } = await visibleFindings(seen);
    const page = pageOfArray(items, query);
    const last = await lastSeen(connections.bucket, seen.table, page.data);
    const data = page.data.map((row) => findingListItem(row, last.get(row.id)));
    return { ...page, data, ...flag(isTruncated) };
  },

  async listIntelVulnerabilities({ query, ...call }) {
    const { items, isTruncated } = await visibleFindings(await visibleScope(call));
    return { ...pageOfArray(vulnerabilitiesOf(items), query), ...flag(isTruncated) };
  },
};

/** Adds to targets the ids of their assets. */
const withAssets = (table: Table, targets: readonly AssetIdentity[]) =>
  Promise.all(
    targets.map(async (target) => {
      const { value, zone } = target;
      const asset = await table.findUnique(assets, { field: 'identity', value: assetKey(target) });
      return { value, zone, assetId: asset?.id ?? null };
    }),
  );
