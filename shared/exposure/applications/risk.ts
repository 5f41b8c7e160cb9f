import { Severity } from '#shared/reports/report/report.ts';
import type { Application } from './application.ts';

/** docs/applications.md has the formula and its reasons. */
const POINTS: Record<Severity, number> = { critical: 40, high: 10, medium: 3, low: 1, info: 0 };
const MAX_POINTS = { severity: 50, exploited: 20, overdue: 15, criticality: 10, exposure: 5 } as const;
/** So much of each makes half of its part. */
const HALF = { severity: 200, exploited: 2, overdue: 10 } as const;
const CRITICALITY: Record<Application['criticality'], number> = { low: 0, medium: 3, high: 6, critical: 10 };

/** The open findings of an application. */
export type OpenRisk = { open: Record<Severity, number>; kevOpen: number; overdue: number };

type RiskFactor = { name: keyof typeof MAX_POINTS; value: number | string | boolean; contribution: number };

export const GRADES = ['A', 'B', 'C', 'D', 'E'] as const;
/** The least score of each grade but the first. */
const FROM = [1, 20, 40, 60];

const part = (name: keyof typeof HALF, amount: number): number =>
  oneDecimal(MAX_POINTS[name] * (1 - 2 ** (-amount / HALF[name])));

const oneDecimal = (value: number): number => Math.round(value * 10) / 10;

/**
 * The risk of an application from 0 to 100. More or worse findings, a higher criticality and exposure never lower it.
 * Without an open finding above info it is 0.
 */
export function applicationRisk(
  { open, kevOpen, overdue }: OpenRisk,
  { criticality, internetExposed }: Pick<Application, 'criticality' | 'internetExposed'>,
) {
  const points = Severity.options.reduce((sum, severity) => sum + POINTS[severity] * open[severity], 0);
  const counts = points > 0 ? 1 : 0;
  const factors: RiskFactor[] = [
    { name: 'severity', value: points, contribution: part('severity', points) },
    { name: 'exploited', value: kevOpen, contribution: counts * part('exploited', kevOpen) },
    { name: 'overdue', value: overdue, contribution: counts * part('overdue', overdue) },
    { name: 'criticality', value: criticality, contribution: counts * CRITICALITY[criticality] },
    {
      name: 'exposure',
      value: internetExposed === true,
      contribution: counts * (internetExposed ? MAX_POINTS.exposure : 0),
    },
  ];
  const score = Math.min(100, Math.round(factors.reduce((sum, { contribution }) => sum + contribution, 0)));
  return { score, grade: GRADES[FROM.filter((least) => score >= least).length] ?? 'E', factors };
}
