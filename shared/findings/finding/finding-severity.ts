import type { Severity } from '#shared/reports/report/report.ts';
import type { StoredFinding } from './finding.ts';

type Rated = Pick<StoredFinding, 'severity' | 'severityOverridden' | 'reportedSeverity'>;

/** The severity that the tool gives the finding. */
const reportedOf = ({ severity, severityOverridden, reportedSeverity = severity }: Rated): Severity =>
  severityOverridden ? reportedSeverity : severity;

/** The severity after a report: a severity that a person set stays, with the tool's severity beside it. */
export const severityAfterReport = (current: Rated, reported: Severity): Rated =>
  current.severityOverridden
    ? { severity: current.severity, severityOverridden: true, reportedSeverity: reported }
    : { severity: reported };

/** The severity that a person sets in place of the tool's; null: the tool's again. */
export const severityByPerson = (current: Rated, wanted: Severity | null): Rated =>
  wanted === null
    ? { severity: reportedOf(current), severityOverridden: undefined, reportedSeverity: undefined }
    : { severity: wanted, severityOverridden: true, reportedSeverity: reportedOf(current) };

/** The severity of two findings that become one: the deciding finding's, unless a person set only the other's. */
export function severityOfBoth(deciding: Rated, other: Rated): Rated {
  const { severity, severityOverridden, reportedSeverity } = deciding;
  if (severityOverridden || !other.severityOverridden) return { severity, severityOverridden, reportedSeverity };
  return severityByPerson(deciding, other.severity);
}

/** The severity once a report is undone, before which the fields were `from`. */
export const severityWithoutReport = (current: Rated, from: Partial<Record<keyof Rated, unknown>>): Partial<Rated> => {
  const before = (from.reportedSeverity ?? from.severity) as Severity | undefined;
  return before === undefined ? {} : severityAfterReport(current, before);
};
