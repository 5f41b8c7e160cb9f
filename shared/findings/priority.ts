import type { Severity } from '../reports/report.ts';

/** Measures of a finding's danger; null or false where nothing is known yet. */
type Danger = { severity: Severity; cvssScore?: number; epss?: number; kev?: boolean };

const BASE: Record<Severity, number> = { critical: 80, high: 60, medium: 40, low: 20, info: 0 };

/**
 * The priority, 0 to 100: the severity gives the band of 20, the CVSS base score (else the middle) the place in its
 * lower half. The chance of exploitation (EPSS, FIRST.org, 0..1) adds up to 10, and a vulnerability that is known to be
 * exploited (CISA KEV) stands at 90 or above.
 */
export function priorityOf({ severity, cvssScore, epss = 0, kev = false }: Danger): number {
  if (severity === 'info' && !kev) return Math.round(10 * epss);
  const priority = BASE[severity] + Math.round(cvssScore ?? 5) + Math.round(10 * epss);
  return Math.min(100, kev ? Math.max(90, priority + 10) : priority);
}
