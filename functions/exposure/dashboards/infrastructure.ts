import { assets } from '#shared/assets/asset/asset.ts';
import { assetsOfSystem } from '#shared/assets/asset/assets-of-system.ts';
import { readOsTally } from '#shared/assets/asset/operating-system.ts';
import { showProduct, showService } from '#shared/assets/inventory/aggregations.ts';
import { exposedServices, products } from '#shared/assets/inventory/product.ts';
import { filtered, listed, withLists } from '#shared/platform/http/figures.ts';
import type { TallyCount } from '#shared/platform/table/counters.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { sum } from '#shared/reporting/figures/percentile.ts';
import { agents } from '#shared/scanning/agents/agent.ts';
import { MACHINE_STATUSES } from '#shared/scanning/machines/machine.ts';
import { assetsSummary } from './assets-summary.ts';
import type { InfrastructureOverview } from './records.ts';
import { countsOf } from './summaries.ts';

const MAX_SYSTEMS = 10;

/** Counters and the first rows of two orders, read beside each other. */
export async function infrastructureOverview(table: Table): Promise<InfrastructureOverview> {
  const top = { by: 'assets', n: MAX_SYSTEMS };
  const facetsOfAssets = table.facets(assets);
  const [summary, facets, systems, some, services, exposed, counted] = await Promise.all([
    assetsSummary(table, facetsOfAssets),
    facetsOfAssets,
    table.tallies(assets, 'os'),
    table.top(products, top),
    table.top(exposedServices, top),
    table.facets(exposedServices),
    table.facets(agents),
  ]);
  const agentsBy = countsOf(MACHINE_STATUSES, counted, 'status');
  const figures = {
    asOf: summary.asOf,
    assets: summary,
    operatingSystems: mostFrequent(systems),
    products: some.map(showProduct),
    services: services.map(showService),
    exposedServices: exposed.exposed ?? 0,
    agents: { total: sum(Object.values(agentsBy)), online: agentsBy.online },
    unmanagedHosts: Math.max(0, (summary.byType.host ?? 0) - (facets.managed ?? 0)),
  };
  const path = '/api/v1/security-operations/telemetry/agents';
  return withLists(figures, {
    exposedServices: listed('/api/v1/services', { exposed: 'true' }),
    agents: (name) => (name === 'total' ? path : listed(path, { status: name })),
    unmanagedHosts: filtered('/api/v1/assets')('retired:false type:host managed:false'),
  });
}

const mostFrequent = (systems: readonly TallyCount[]) =>
  systems
    .map(({ value, counts }) => assetsOfSystem(readOsTally(value), counts.n ?? 0))
    .filter((system) => system.assets > 0)
    .sort((a, b) => b.assets - a.assets)
    .slice(0, MAX_SYSTEMS);
