import { fileOf, placeOf, type Reported, type Severity } from './reported.ts';

const SEVERITIES: Record<Severity, string> = {
  critical: 'blocker',
  high: 'critical',
  medium: 'major',
  low: 'minor',
  info: 'info',
};

/** Findings as a report of GitLab's code quality, which asks a path and a line of each finding. */
export const codeQualityOf = (findings: readonly Reported[]): object[] =>
  findings.map((finding) => {
    const file = fileOf(finding);
    return {
      description: finding.title || finding.ruleId,
      check_name: finding.ruleId,
      fingerprint: finding.id,
      severity: SEVERITIES[finding.severity],
      location: { path: file?.path ?? placeOf(finding), lines: { begin: file?.line ?? 1 } },
    };
  });
