import { findings } from '#shared/findings/finding/finding.ts';
import { FINDING_STATUSES, OPEN_STATUSES } from '#shared/findings/finding/finding-status.ts';
import { placeOfEpss } from '#shared/findings/priority/finding-priority.ts';
import { importedReports } from '#shared/ingest/imported-report.ts';
import { filtered, withLists } from '#shared/platform/http/figures.ts';
import { nowMs } from '#shared/platform/runtime/clock.ts';
import { perValue } from '#shared/platform/runtime/per-value.ts';
import type { Marked } from '#shared/platform/table/combined.ts';
import type { Counts } from '#shared/platform/table/counters.ts';
import type { Entity, Stored } from '#shared/platform/table/entity.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { dayRange, dayReader, daysAgo, lastDays } from '#shared/reporting/figures/days.ts';
import { sum } from '#shared/reporting/figures/percentile.ts';
import { Severity } from '#shared/reports/report/report.ts';
import { countFrom, dayOf, FOREVER, monthOf } from '#shared/reports/report/time-measures.ts';
import { VULNERABILITY_STATUSES, vulnerabilities } from '#shared/vulnerabilities/vulnerability/vulnerability.ts';
import type { FindingsSummary, VulnerabilitiesSummary } from './records.ts';
import { seenCounts } from './seen-counts.ts';
import { totalsOf } from './totals.ts';

const WEEK = 7;

/** Four reads beside each other. */
export async function findingsSummary(table: Table): Promise<FindingsSummary> {
  const [{ summary, lists }, imports] = await Promise.all([
    summaryOf(table, findings, { statuses: FINDING_STATUSES }),
    // imports are not open to a part
    table.part ? NO_COUNTS : table.facets(importedReports),
  ]);
  return withLists({ ...summary, held: imports.heldFindings ?? 0 }, { ...lists('/api/v1/findings'), held: null });
}

const NO_COUNTS: Counts = {};

/** Three reads beside each other. */
export async function vulnerabilitiesSummary(table: Table): Promise<VulnerabilitiesSummary> {
  const asked = { statuses: VULNERABILITY_STATUSES, sets: RISKS };
  const { summary, counter, lists } = await summaryOf(table, vulnerabilities, asked);
  const path = '/api/v1/vulnerabilities';
  const of = filtered(path);
  return withLists(
    {
      ...summary,
      kevOpen: counter('kev'),
      epssOver10PercentOpen: counter('likely'),
      acceptedRisk: summary.byStatus.risk_accepted,
      slaBreached: summary.overdue + counter('late'),
    },
    {
      ...lists(path),
      kevOpen: of(`${OPEN} kev:true`),
      epssOver10PercentOpen: of('epss>=0.1'),
      acceptedRisk: of('status:risk_accepted'),
      slaBreached: of(`due<${dayOf(summary.asOf)} OR late:true`),
    },
  );
}

const LIKELY = 0.1;

/** The facets of vulnerabilities that the dashboard shows, as the index finds them. */
const RISKS: Readonly<Record<string, Marked>> = {
  kev: {
    all: [
      { name: 'kev', values: ['true'] },
      { name: 'status', values: OPEN_STATUSES },
    ],
  },
  likely: { order: 'epss', to: placeOfEpss(LIKELY) },
  late: { name: 'late', values: ['true'] },
};

/** Of findings and vulnerabilities. */
const OPEN = `status:${OPEN_STATUSES.join()}`;

type Status = (typeof FINDING_STATUSES)[number];

async function summaryOf<const S extends Status, T extends Stored, D extends keyof T>(
  table: Table,
  entity: Entity<T, D>,
  { statuses, sets }: { statuses: readonly S[]; sets?: Readonly<Record<string, Marked>> },
) {
  const at = nowMs();
  const asOf = new Date(at).toISOString();
  const lists = (path: string) => listsOf(path, at);
  if (table.part) {
    const { of, inSet } = await seenCounts(table, entity, { sets: { ...setsOf(at), ...sets } });
    const inSets = perValue(['overdue', 'opened7d', 'fixed7d', 'reopened7d'], inSet);
    return { summary: { asOf, ...totalsOf(statuses, of), ...inSets }, counter: inSet, lists };
  }
  const [facets, days, due] = await Promise.all([
    table.facets(entity),
    table.tallies(entity, 'day', dayRange(at, WEEK)),
    table.tallies(entity, 'due', { from: monthOf(asOf), to: FOREVER }),
  ]);
  const count = dayReader(days);
  const inWeek = (name: 'o' | 'c' | 'r') => sum(lastDays(at, WEEK).map((day) => count(name, day)));
  const summary = {
    asOf,
    ...countsByStatus(facets, statuses),
    // the rest of the dated ones, so that old days are never read
    overdue: (facets.dated ?? 0) - countFrom(due, dayOf(asOf)),
    opened7d: inWeek('o'),
    fixed7d: inWeek('c'),
    reopened7d: inWeek('r'),
  };
  return { summary, counter: (name: string) => facets[name] ?? 0, lists };
}

/** The records of the figures that are no totals, as `listsOf` lists them. */
function setsOf(at: number): Readonly<Record<string, Marked>> {
  const inWeek = (order: string) => ({ order, from: daysAgo(at, WEEK - 1), to: daysAgo(at, 0) });
  return {
    overdue: { order: 'due', to: daysAgo(at, 1) },
    opened7d: inWeek('seen'),
    fixed7d: inWeek('fixed'),
    reopened7d: inWeek('reopened'),
  };
}

function listsOf(path: string, at: number) {
  const of = filtered(path);
  const week = `${daysAgo(at, WEEK - 1)}..${daysAgo(at, 0)}`;
  return {
    total: path,
    open: of(OPEN),
    overdue: of(`due<${daysAgo(at, 0)}`),
    byStatus: (status: string) => of(`status:${status}`),
    bySeverity: (severity: string) => of(`severity:${severity}`),
    openBySeverity: (severity: string) => of(`${OPEN} severity:${severity}`),
    opened7d: of(`firstSeen:${week}`),
    fixed7d: of(`fixed:${week}`),
    reopened7d: of(`reopened:${week}`),
  };
}

function countsByStatus<const S extends Status>(facets: Counts, statuses: readonly S[]) {
  const byStatus = countsOf(statuses, facets, 'status');
  const counted: Partial<Record<Status, number>> = byStatus;
  const bySeverity = countsOf(Severity.options, facets, 'severity');
  return {
    total: sum(statuses.map((status) => byStatus[status])),
    open: sum(OPEN_STATUSES.map((status) => counted[status] ?? 0)),
    byStatus,
    bySeverity,
    openBySeverity: countsOf(Severity.options, facets, 'open'),
  };
}

/** The counters of an enum's values, zeros included. */
export const countsOf = <const V extends string>(values: readonly V[], facets: Counts, name: string) =>
  perValue(values, (value) => facets[`${name}:${value}`] ?? 0);
