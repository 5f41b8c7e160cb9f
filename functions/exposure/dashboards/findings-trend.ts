import { assets } from '#shared/assets/asset/asset.ts';
import { countersAt, countersOf } from '#shared/assets/asset/asset-counters.ts';
import { applications } from '#shared/exposure/applications/application.ts';
import { findings } from '#shared/findings/finding/finding.ts';
import { type TrendKind, trendCounter } from '#shared/findings/finding/finding-measures.ts';
import { filtered, withLists } from '#shared/platform/http/figures.ts';
import { DAY_MS, nowMs } from '#shared/platform/runtime/clock.ts';
import { invalid } from '#shared/platform/runtime/errors.ts';
import { perValue } from '#shared/platform/runtime/per-value.ts';
import { quoted } from '#shared/platform/runtime/texts.ts';
import { type Counts, readTallies, readTalliesOf } from '#shared/platform/table/counters.ts';
import { ordinalsOf } from '#shared/platform/table/selected.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { daysAgo, lastDays } from '#shared/reporting/figures/days.ts';
import { sum } from '#shared/reporting/figures/percentile.ts';
import { Severity } from '#shared/reports/report/report.ts';
import { tenDaysOf } from '#shared/reports/report/time-measures.ts';
import type { FindingsTrend } from './records.ts';

const USUAL_DAYS = 30;
const MAX_DAYS = 366;

type Of = { assetId?: string; assetTag?: string; applicationId?: string };
type Asked = Of & { from?: string; to?: string };

/**
 * One round trip; of a tag or an application a few.
 * @throws validation_failed for days in the wrong order, or too many days or assets; not_found for the asset
 */
export async function findingsTrend(
  table: Table,
  { assetId, assetTag, applicationId, ...asked }: Asked,
): Promise<FindingsTrend> {
  const days = daysBetween(asked);
  const [from = '', to = ''] = [days[0], days.at(-1)];
  const rows = await rowsOf(
    table,
    { assetId, assetTag, applicationId },
    { from: tenDaysOf(from).row, to: tenDaysOf(to).row, days },
  );
  const byRow = Map.groupBy(rows, ({ value }) => value);
  const on = (date: string) => (kind: TrendKind, severity: Severity) => {
    const { row, digit } = tenDaysOf(date);
    const name = trendCounter(kind, severity) + digit;
    return sum((byRow.get(row) ?? []).map(({ counts }) => counts[name] ?? 0));
  };
  const list = listOf({ assetId, assetTag, applicationId });
  const inAll = (kind: TrendKind) =>
    perValue(Severity.options, (severity) => sum(days.map((day) => on(day)(kind, severity))));
  const [opened, reopened, fixed] = [inAll('opened'), inAll('reopened'), inAll('fixed')];
  const figures = {
    from,
    to,
    opened,
    reopened,
    fixed,
    net: perValue(Severity.options, (severity) => opened[severity] + reopened[severity] - fixed[severity]),
    days: days.map((date) => withLists(ofDay(date, on(date)), { ...EACH_TIME, opened: list(`firstSeen:${date}`) })),
  };
  return withLists(figures, {
    reopened: () => null,
    fixed: () => null,
    net: () => null,
    opened: (severity) => list(`firstSeen:${from}..${to} severity:${severity}`),
  });
}

/** A finding counts each time that it returns or is repaired; a list has it once. */
const EACH_TIME = { reopened: null, fixed: null, net: null };

/** The findings of the same assets. */
function listOf({ assetId, assetTag, applicationId }: Of): (filter: string) => string {
  const of = filtered('/api/v1/findings');
  if (assetTag !== undefined) return (filter) => of(`${filter} asset.tag:${quoted(assetTag)}`);
  if (assetId !== undefined) return (filter) => of(`${filter} asset.id:${assetId}`);
  return applicationId === undefined ? of : (filter) => of(`${filter} application:${applicationId}`);
}

type Rows = { from: string; to: string; days: string[] };
type TenDays = { value: string | null | undefined; counts: Counts };

/** The counters of ten days each: of the organization, of an asset, or of each asset of a group. @throws not_found */
async function rowsOf(table: Table, of: Of, { from, to, days }: Rows): Promise<TenDays[]> {
  const { assetId, assetTag, applicationId } = of;
  const [name = '', second] = (['assetId', 'assetTag', 'applicationId'] as const).filter(
    (one) => of[one] !== undefined,
  );
  if (second) throw invalid(second, `must be left out beside ${name}`);
  if (applicationId !== undefined) await table.get(applications, applicationId);
  const ofPart = table.part && assetId === undefined;
  if (assetTag !== undefined || applicationId !== undefined || ofPart)
    return rowsOfGroup(table, { tag: assetTag, application: applicationId }, { name: name || 'from', days });
  if (assetId === undefined) return table.tallies(findings, 'trend', { from, to });
  const { rowOf, digit } = countersOf(assetId);
  const between = { from: rowOf(from), to: rowOf(to) };
  const { dynamo, tenant } = table;
  const [rows] = await Promise.all([
    readTallies({ dynamo, tenant, entity: findings }, 'asset', between),
    table.get(assets, assetId),
  ]);
  return rows.map(({ value, counts }) => ({ value: value?.split(' ')[1], counts: ofDigits(counts, [digit]) }));
}

/** Rows of the assets of a group that an answer reads at most: half a read unit each. */
const MAX_ROWS = 500;

type Asking = { name: string; days: readonly string[] };

/** The assets that have the values now. @throws validation_failed for too many of them in so many days */
async function rowsOfGroup(
  table: Table,
  where: Record<string, string | undefined>,
  { name, days }: Asking,
): Promise<TenDays[]> {
  const ordinals = await ordinalsOf(table, assets, { where });
  const tenDays = [...new Set(days.map((day) => tenDaysOf(day).row))];
  const blocks = Map.groupBy(ordinals.map(countersAt), ({ block }) => block);
  const digitsOf = new Map(
    [...blocks.values()].flatMap((of) =>
      tenDays.map((row) => [of[0]?.rowOf(row) ?? '', of.map(({ digit }) => digit)] as const),
    ),
  );
  if (digitsOf.size > MAX_ROWS)
    throw invalid(name, `has ${ordinals.length} assets, too many for ${days.length} days: ask for fewer days`);
  const { dynamo, tenant } = table;
  const rows = await readTalliesOf({ dynamo, tenant, entity: findings }, 'asset', [...digitsOf.keys()]);
  return [...rows].map(([value, counts]) => ({
    value: value?.split(' ')[1],
    counts: ofDigits(counts, digitsOf.get(value ?? '') ?? []),
  }));
}

/** The counters of some of the eight assets of a row, summed, without the digits. */
function ofDigits(counts: Counts, digits: readonly string[]): Counts {
  const sums: Counts = {};
  for (const [name, n] of Object.entries(counts))
    if (digits.includes(name[0] ?? '')) sums[name.slice(1)] = (sums[name.slice(1)] ?? 0) + n;
  return sums;
}

function ofDay(date: string, count: (kind: TrendKind, severity: Severity) => number) {
  const all = (kind: TrendKind) => sum(Severity.options.map((severity) => count(kind, severity)));
  const [opened, reopened, fixed] = [all('opened'), all('reopened'), all('fixed')];
  return { date, opened, reopened, fixed, net: opened + reopened - fixed };
}

function daysBetween({ from, to = daysAgo(nowMs(), 0) }: { from?: string; to?: string }): string[] {
  const end = Date.parse(to);
  const first = from ?? daysAgo(end, USUAL_DAYS - 1);
  const count = (end - Date.parse(first)) / DAY_MS + 1;
  if (count < 1) throw invalid('from', `must be ${to} or earlier`);
  if (count > MAX_DAYS)
    throw invalid('from', `must be ${daysAgo(end, MAX_DAYS - 1)} or later: at most ${MAX_DAYS} days`);
  return lastDays(end, count);
}
