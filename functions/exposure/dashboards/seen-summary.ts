import { OPEN_STATUSES } from '#shared/findings/finding/finding-status.ts';
import { placeOfEpss } from '#shared/findings/priority/finding-priority.ts';
import { perValue } from '#shared/platform/runtime/per-value.ts';
import type { Counts } from '#shared/platform/table/counters.ts';
import type { Entity, Stored } from '#shared/platform/table/entity.ts';
import { anyOf, type Bits, both, countOf } from '#shared/platform/table/layout/bits.ts';
import type { MarkQuery } from '#shared/platform/table/match.ts';
import { bitsOf } from '#shared/platform/table/selected.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { Severity } from '#shared/reports/report/report.ts';
import { vulnerabilities } from '#shared/vulnerabilities/vulnerability/vulnerability.ts';
import { daysAgo } from './days.ts';

/** The figures of the records that a caller with a part of the organization sees. Counters count all records, so the index counts these. */
export async function seenSummary<const S extends string, T extends Stored, D extends keyof T>(
  table: Table,
  entity: Entity<T, D>,
  { statuses, at, days }: { statuses: readonly S[]; at: number; days: number },
) {
  const find = (query: MarkQuery) => bitsOf(table, entity, query);
  const each = async <const V extends string>(name: string, values: readonly V[]) =>
    new Map(
      await Promise.all(
        values.map(async (value): Promise<[string, Bits]> => [value, await find({ where: { [name]: value } })]),
      ),
    );
  const inWeek = (order: string) => find({ between: { [order]: { from: daysAgo(at, days - 1), to: daysAgo(at, 0) } } });
  const [byStatus, bySeverity, ...periods] = await Promise.all([
    each('status', statuses),
    each('severity', Severity.options),
    find({ between: { due: { to: daysAgo(at, 1) } } }),
    inWeek('seen'),
    inWeek('fixed'),
    inWeek('reopened'),
  ]);
  const [overdue, opened7d, fixed7d, reopened7d] = periods.map(countOf);
  const of = (found: Map<string, Bits>, value: string): Bits => found.get(value) ?? new Map();
  const open = anyOf(OPEN_STATUSES.map((status) => of(byStatus, status)));
  const figures = {
    total: countOf(anyOf([...byStatus.values()])),
    open: countOf(open),
    byStatus: perValue(statuses, (status) => countOf(of(byStatus, status))),
    bySeverity: perValue(Severity.options, (severity) => countOf(of(bySeverity, severity))),
    openBySeverity: perValue(Severity.options, (severity) => countOf(both(open, of(bySeverity, severity)))),
  };
  return {
    ...figures,
    overdue: overdue ?? 0,
    opened7d: opened7d ?? 0,
    fixed7d: fixed7d ?? 0,
    reopened7d: reopened7d ?? 0,
  };
}

const LIKELY = 0.1;

/** The facets of vulnerabilities that the dashboard shows, of those that a caller with a part sees. */
export async function seenRisks(table: Table): Promise<Counts> {
  const queries: MarkQuery[] = [
    { where: { kev: 'true', status: OPEN_STATUSES } },
    { between: { epss: { to: placeOfEpss(LIKELY) } } },
    { where: { late: 'true' } },
  ];
  const found = await Promise.all(queries.map((query) => bitsOf(table, vulnerabilities, query)));
  const [kev = 0, likely = 0, late = 0] = found.map(countOf);
  return { kev, likely, late };
}
