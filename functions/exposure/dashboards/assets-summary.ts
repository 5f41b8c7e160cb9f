import { assets, CRITICALITIES } from '#shared/assets/asset/asset.ts';
import { filtered, withLists } from '#shared/platform/http/figures.ts';
import { nowMs } from '#shared/platform/runtime/clock.ts';
import type { Marked } from '#shared/platform/table/combined.ts';
import type { Counts } from '#shared/platform/table/counters.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { daysAgo } from '#shared/reporting/figures/days.ts';
import { sum } from '#shared/reporting/figures/percentile.ts';
import { AssetType } from '#shared/reports/report/asset-type.ts';
import { monthOf } from '#shared/reports/report/time-measures.ts';
import type { AssetsSummary } from './records.ts';
import { seenCounts } from './seen-counts.ts';
import { countsOf } from './summaries.ts';

const WEEK = 7;
const MONTH = 30;

export async function assetsSummary(table: Table, counted?: Promise<Counts>): Promise<AssetsSummary> {
  const at = nowMs();
  const asOf = new Date(at).toISOString();
  const { facets, seenSince } = table.part ? await seenAssets(table, at) : await countedAssets(table, { at, counted });
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

type Asking = { at: number; counted: Promise<Counts> | undefined };

/** Two reads beside each other: facets, unless they are `counted`, and the counters of the days of the last 30. */
async function countedAssets(table: Table, { at, counted = table.facets(assets) }: Asking) {
  const [facets, months] = await Promise.all([
    counted,
    table.tallies(assets, 'seen', { from: monthOf(daysAgo(at, MONTH)), to: monthOf(daysAgo(at, 0)) }),
  ]);
  const seenSince = (day: string) =>
    sum(
      months.flatMap(({ value, counts }) => Object.entries(counts).map(([n, c]) => (`${value}-${n}` >= day ? c : 0))),
    );
  return { facets, seenSince };
}

/** The same of the assets that a caller with a part of the organization sees. */
async function seenAssets(table: Table, at: number) {
  const since = [WEEK - 1, MONTH].map((days) => daysAgo(at, days));
  const sets: Record<string, Marked> = {
    internetExposed: { name: 'exposed', values: ['true'] },
    unowned: { name: 'owner', values: [null] },
    unlinked: { name: 'application', values: [null] },
    ...Object.fromEntries(AssetType.options.map((type) => [`type:${type}`, { name: 'type', values: [type] }])),
    ...Object.fromEntries(since.map((from) => [from, { order: 'seen', from }])),
  };
  const { of, inSet } = await seenCounts(table, assets, { sets, within: PRESENT });
  const facets: Counts = Object.fromEntries([
    ...Object.keys(sets).map((name) => [name, inSet(name)]),
    ...CRITICALITIES.map((criticality) => [`criticality:${criticality}`, of({ criticality })]),
  ]);
  return { facets, seenSince: inSet };
}

const PRESENT: Marked = { not: { name: 'retired', values: ['true'] } };

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
