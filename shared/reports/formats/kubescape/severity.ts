import type { Severity } from '../../report/report.ts';

/** The thresholds by which Kubescape names its score factors, of 1 to 10. */
export function severityOf(factor: number | undefined): Severity {
  if (factor === undefined) return 'medium';
  if (factor >= 9) return 'critical';
  if (factor >= 7) return 'high';
  if (factor >= 4) return 'medium';
  return factor >= 1 ? 'low' : 'info';
}
