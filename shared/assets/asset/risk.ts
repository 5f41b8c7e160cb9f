import { Severity } from '#shared/reports/report/report.ts';
import type { Asset } from './asset.ts';

/** Points of an open finding; docs/priority.md has the table and the reasons. */
const POINTS: Record<Severity, number> = { critical: 40, high: 10, medium: 3, low: 1, info: 0 };
const WEIGHTS: Record<Asset['criticality'], number> = { low: 0.5, medium: 1, high: 1.5, critical: 2 };
const EXPOSED_WEIGHT = 1.5;
/** This many weighted points halve the distance to 100. */
const HALVING = 40;

export type OpenBySeverity = Record<Severity, number>;

/** The risk of an asset from 0 to 100: more findings, worse ones, a higher criticality and exposure never lower it. */
export function riskScore(
  open: OpenBySeverity,
  { criticality, internetExposed }: Pick<Asset, 'criticality' | 'internetExposed'>,
): number {
  const points = Severity.options.reduce((sum, severity) => sum + POINTS[severity] * open[severity], 0);
  const weight = WEIGHTS[criticality] * (internetExposed ? EXPOSED_WEIGHT : 1);
  return Math.round(100 * (1 - 2 ** (-(points * weight) / HALVING)));
}
