import { findings } from '#shared/findings/finding/finding.ts';
import { FINDING_STATUSES, OPEN_STATUSES } from '#shared/findings/finding/finding-status.ts';
import { importedReports } from '#shared/ingest/imported-report.ts';
import { filtered, withLists } from '#shared/platform/http/figures.ts';
import { nowMs } from '#shared/platform/runtime/clock.ts';
import { perValue } from '#shared/platform/runtime/per-value.ts';
import type { Counts } from '#shared/platform/table/counters.ts';
import type { Entity, Stored } from '#shared/platform/table/entity.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { Severity } from '#shared/reports/report/report.ts';
import { countFrom, dayOf, FOREVER, monthOf } from '#shared/reports/report/time-measures.ts';
import { VULNERABILITY_STATUSES, vulnerabilities } from '#shared/vulnerabilities/vulnerability/vulnerability.ts';
import { dayRange, dayReader, daysAgo, lastDays } from './days.ts';
import type { FindingsSummary, VulnerabilitiesSummary } from './records.ts';
import { seenRisks, seenSummary } from './seen-summary.ts';

const WEEK = 7;

/** Four reads beside each other. */
export async function findingsSummary(table: Table): Promise<FindingsSummary> {
  const [{ summary, lists }, imports] = await Promise.all([
    summaryOf(table, findings, FINDING_STATUSES),
    // imports are not open to a part
    table.part ? NO_COUNTS : table.facets(importedReports),
  ]);
  return withLists({ ...summary, held: imports.heldFindings ?? 0 }, { ...lists('/api/v1/findings'), held: null });
}

const NO_COUNTS: Counts = {};

/** Three reads beside each other. */
export async function vulnerabilitiesSummary(table: Table): Promise<VulnerabilitiesSummary> {
  const [{ summary, lists, ...all }, seen] = await Promise.all([
    summaryOf(table, vulnerabilities, VULNERABILITY_STATUSES),
    table.part && seenRisks(table),
  ]);
  const facets = seen ?? all.facets;
  const path = '/api/v1/vulnerabilities';
  const of = filtered(path);
  return withLists(
    {
      ...summary,
      kevOpen: facets.kev ?? 0,
      epssOver10PercentOpen: facets.likely ?? 0,
      acceptedRisk: summary.byStatus.risk_accepted,
      slaBreached: summary.overdue + (facets.late ?? 0),
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

/** Of findings and vulnerabilities. */
const OPEN = `status:${OPEN_STATUSES.join()}`;

type Status = (typeof FINDING_STATUSES)[number];

async function summaryOf<const S extends Status, T extends Stored, D extends keyof T>(
  table: Table,
  entity: Entity<T, D>,
  statuses: readonly S[],
) {
  const at = nowMs();
  const asOf = new Date(at).toISOString();
  const lists = (path: string) => listsOf(path, at);
  if (table.part) {
    const seen = await seenSummary(table, entity, { statuses, at, days: WEEK });
    return { summary: { asOf, ...seen }, facets: NO_COUNTS, lists };
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
  return { summary, facets, lists };
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

export const sum = (amounts: readonly number[]): number => amounts.reduce((total, amount) => total + amount, 0);
