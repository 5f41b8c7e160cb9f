import { OPEN_STATUSES } from '#shared/findings/finding/finding-status.ts';
import { perValue } from '#shared/platform/runtime/per-value.ts';
import { Severity } from '#shared/reports/report/report.ts';

/** The totals by status and severity, from the number of records that have some values. */
export function totalsOf<const S extends string>(
  statuses: readonly S[],
  of: (filter: Readonly<Record<string, string>>) => number,
) {
  const openOf = (filter: Record<string, string>) =>
    OPEN_STATUSES.reduce((sum, status) => sum + of({ ...filter, status }), 0);
  return {
    total: of({}),
    open: openOf({}),
    byStatus: perValue(statuses, (status) => of({ status })),
    bySeverity: perValue(Severity.options, (severity) => of({ severity })),
    openBySeverity: perValue(Severity.options, (severity) => openOf({ severity })),
  };
}
