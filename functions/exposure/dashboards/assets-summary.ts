import { assets, CRITICALITIES } from '#shared/assets/asset/asset.ts';
import { filtered, withLists } from '#shared/platform/http/figures.ts';
import { nowMs } from '#shared/platform/runtime/clock.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { AssetType } from '#shared/reports/report/asset-type.ts';
import { monthOf } from '#shared/reports/report/time-measures.ts';
import { daysAgo } from './days.ts';
import type { AssetsSummary } from './records.ts';
import { countsOf, sum } from './summaries.ts';

const WEEK = 7;
const MONTH = 30;

/** Two reads beside each other: facets, unless they are `counted`, and the counters of the days of the last 30. */
export async function assetsSummary(table: Table, counted = table.facets(assets)): Promise<AssetsSummary> {
  const at = nowMs();
  const asOf = new Date(at).toISOString();
  const [facets, months] = await Promise.all([
    counted,
    table.tallies(assets, 'seen', { from: monthOf(daysAgo(at, MONTH)), to: monthOf(asOf) }),
  ]);
  const seenSince = (day: string) =>
    sum(
      months.flatMap(({ value, counts }) => Object.entries(counts).map(([n, c]) => (`${value}-${n}` >= day ? c : 0))),
    );
  const byCriticality = countsOf(CRITICALITIES, facets, 'criticality');
  const total = sum(Object.values(byCriticality));
  const figures = {
    asOf,
    total,
    byType: countsOf(AssetType.options, facets, 'type'),
    byCriticality,
    internetExposed: facets.internetExposed ?? 0,
    seen7d: seenSince(daysAgo(at, WEEK - 1)),
    stale30d: total - seenSince(daysAgo(at, MONTH)),
    unowned: facets.unowned ?? 0,
    withoutApplication: facets.unlinked ?? 0,
  };
  return withLists(figures, listsOf(at));
}

function listsOf(at: number) {
  const of = (filter: string) => filtered('/api/v1/assets')(`retired:false ${filter}`);
  return {
    total: filtered('/api/v1/assets')('retired:false'),
    byType: (type: string) => of(`type:${type}`),
    byCriticality: (criticality: string) => of(`criticality:${criticality}`),
    internetExposed: of('internetExposed:true'),
    seen7d: of(`lastSeen:${daysAgo(at, WEEK - 1)}..${daysAgo(at, 0)}`),
    stale30d: of(`lastSeen<${daysAgo(at, MONTH)}`),
    unowned: of('owner:none'),
    withoutApplication: of('-application:*'),
  };
}
