import { hasTaskOf } from '#shared/apex/presence.ts';
import type { Caller } from '#shared/auth/permissions.ts';
import { type AssetIdentity, assetKey, assets } from '#shared/entities/asset.ts';
import { engagements } from '#shared/entities/engagement.ts';
import { findingListItem } from '#shared/entities/finding-view.ts';
import type { ScanTarget } from '#shared/entities/scan-target.ts';
import { notFound } from '#shared/http/errors.ts';
import { pageOfArray } from '#shared/http/pagination.ts';
import type { Handlers } from '#shared/http/route.ts';
import { lastSeen } from '#shared/ingest/last-seen.ts';
import { MAX_MATCHES } from '#shared/table/search.ts';
import type { Table } from '#shared/table/table.ts';
import { isAssetInScope, searchAssets } from './assets.ts';
import { findingsInScope } from './findings.ts';
import type { apexIntelRoutes } from './routes.ts';
import { judgeOf, type Scope } from './scope.ts';
import { domainsOf, servicesOf, targetsOf, vulnerabilitiesOf } from './summaries.ts';

type Asking = { table: Table; caller: Caller; params: { id: string } };

/** The scope, for a person of the organization or an appliance that works on the engagement now. @throws not_found */
async function scopeOf({ table, caller, params: { id } }: Asking): Promise<Scope> {
  const [engagement, isTheirs] = await Promise.all([
    table.get(engagements, id),
    caller.kind === 'machine' ? hasTaskOf(table, caller.id, id) : true,
  ]);
  if (!isTheirs) throw notFound(engagements.name, id);
  return engagement;
}

const flag = (isTruncated: boolean) => (isTruncated ? { truncated: true as const } : {});

export const apexIntelHandlers: Handlers<typeof apexIntelRoutes> = {
  async getEngagementScope({ query, ...asking }) {
    const { targets, exclusions } = await scopeOf(asking);
    const named = (kind: 'target' | 'exclusion') => (item: ScanTarget) => ({ kind, ...item });
    return pageOfArray([...targets.map(named('target')), ...exclusions.map(named('exclusion'))], query);
  },

  async listIntelApplications({ query, ...asking }) {
    const page = pageOfArray(targetsOf(await scopeOf(asking), 'application'), query);
    return { ...page, data: await withAssets(asking.table, page.data) };
  },

  async listIntelRepositories({ query, ...asking }) {
    const page = pageOfArray(targetsOf(await scopeOf(asking), 'repository'), query);
    return { ...page, data: await withAssets(asking.table, page.data) };
  },

  async listIntelDomains({ query, ...asking }) {
    return pageOfArray(domainsOf(await scopeOf(asking)), query);
  },

  async searchIntelAssets({ query, ...asking }) {
    const judge = judgeOf(await scopeOf(asking));
    const { items, isTruncated } = await searchAssets(asking.table, query.search, MAX_MATCHES);
    const covered = items.filter((asset) => isAssetInScope(judge, asset));
    return { ...pageOfArray(covered, query), ...flag(isTruncated) };
  },

  async listAttackSurface({ query, ...asking }) {
    const { items, assets: covered, isTruncated } = await findingsInScope(asking.table, await scopeOf(asking));
    return { ...pageOfArray(servicesOf(items, covered), query), ...flag(isTruncated) };
  },

  async listIntelFindings({ query, ports, ...asking }) {
    const { items, isTruncated } = await findingsInScope(asking.table, await scopeOf(asking));
    const page = pageOfArray(items, query);
    const seen = await lastSeen(ports.bucket, asking.table, page.data);
    const data = page.data.map((row) => findingListItem(row, seen.get(row.id)));
    return { ...page, data, ...flag(isTruncated) };
  },

  async listIntelVulnerabilities({ query, ...asking }) {
    const { items, isTruncated } = await findingsInScope(asking.table, await scopeOf(asking));
    return { ...pageOfArray(vulnerabilitiesOf(items), query), ...flag(isTruncated) };
  },
};

/** What is known of the targets of a page. */
const withAssets = (table: Table, targets: readonly AssetIdentity[]) =>
  Promise.all(
    targets.map(async (target) => {
      const { value, zone } = target;
      const asset = await table.findUnique(assets, 'identity', assetKey(target));
      return { value, zone, assetId: asset?.id ?? null };
    }),
  );
