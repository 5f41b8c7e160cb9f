import { perValue } from '#functions/dashboards/per-value.ts';
import { assets } from '#shared/entities/asset.ts';
import { findings } from '#shared/entities/finding.ts';
import { countersOf, type TrendKind, tenDaysOf, trendCounter } from '#shared/entities/finding-measures.ts';
import { Severity } from '#shared/reports/report.ts';
import { nowMs } from '#shared/runtime/clock.ts';
import { invalid } from '#shared/runtime/errors.ts';
import type { Table } from '#shared/table/table.ts';
import { daysAgo, lastDays } from './days.ts';
import { sum } from './findings-summary.ts';
import type { FindingsTrend } from './records.ts';

const DAY_MS = 86_400_000;
const USUAL_DAYS = 30;
const MOST_DAYS = 366;

type Asked = { from?: string; to?: string; assetId?: string };

/** One round trip. @throws validation_failed for days in the wrong order, or too many; not_found for the asset */
export async function findingsTrend(table: Table, { assetId, ...asked }: Asked): Promise<FindingsTrend> {
  const days = daysBetween(asked);
  const [from = '', to = ''] = [days[0], days.at(-1)];
  const rows = await rowsOf(table, assetId, { from: tenDaysOf(from).row, to: tenDaysOf(to).row });
  const byRow = new Map(rows.map(({ value, counts }) => [value, counts]));
  const on = (date: string) => (kind: TrendKind, severity: Severity) => {
    const { row, digit } = tenDaysOf(date);
    return byRow.get(row)?.[trendCounter(kind, severity) + digit] ?? 0;
  };
  const inAll = (kind: TrendKind) =>
    perValue(Severity.options, (severity) => sum(days.map((day) => on(day)(kind, severity))));
  const [opened, reopened, fixed] = [inAll('opened'), inAll('reopened'), inAll('fixed')];
  return {
    from,
    to,
    opened,
    reopened,
    fixed,
    net: perValue(Severity.options, (severity) => opened[severity] + reopened[severity] - fixed[severity]),
    days: days.map((date) => ofDay(date, on(date))),
  };
}

type Rows = { from: string; to: string };

/** The counters of ten days each: of the organization, or of an asset. @throws not_found */
async function rowsOf(table: Table, assetId: string | undefined, { from, to }: Rows) {
  if (assetId === undefined) return table.tallies(findings, 'trend', { from, to });
  const { rowOf, digit } = countersOf(assetId);
  const between = { from: rowOf(from), to: rowOf(to) };
  const [rows] = await Promise.all([table.tallies(findings, 'asset', between), table.get(assets, assetId)]);
  return rows.map(({ value, counts }) => {
    const own = Object.entries(counts).filter(([name]) => name.startsWith(digit));
    return { value: value?.split(' ')[1], counts: Object.fromEntries(own.map(([name, n]) => [name.slice(1), n])) };
  });
}

function ofDay(date: string, count: (kind: TrendKind, severity: Severity) => number): FindingsTrend['days'][number] {
  const all = (kind: TrendKind) => sum(Severity.options.map((severity) => count(kind, severity)));
  const [opened, reopened, fixed] = [all('opened'), all('reopened'), all('fixed')];
  return { date, opened, reopened, fixed, net: opened + reopened - fixed };
}

function daysBetween({ from, to = daysAgo(nowMs(), 0) }: { from?: string; to?: string }): string[] {
  const end = Date.parse(to);
  const first = from ?? daysAgo(end, USUAL_DAYS - 1);
  const count = (end - Date.parse(first)) / DAY_MS + 1;
  if (count < 1) throw invalid('from', `must be ${to} or earlier`);
  if (count > MOST_DAYS)
    throw invalid('from', `must be ${daysAgo(end, MOST_DAYS - 1)} or later: at most ${MOST_DAYS} days`);
  return lastDays(end, count);
}
