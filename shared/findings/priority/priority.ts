import type { Asset } from '#shared/assets/asset/asset.ts';
import type { Severity } from '#shared/reports/report/report.ts';
import { FACTORS, type PriorityFactor, type Stakes } from './finding-priority.ts';

/** The measures of a finding's danger. Absent: nothing is known, or the usual case. */
export type Danger = {
  severity: Severity;
  cvssScore?: number | undefined;
  epss?: number | undefined;
  kev?: boolean | undefined;
  stakes?: Stakes | undefined;
  /** Its due day is over. */
  late?: boolean | undefined;
};

type Name = PriorityFactor['name'];

/** The points that each factor has at most; together 100. */
const MAX_POINTS: Record<Name, number> = { severity: 45, epss: 10, kev: 25, exposure: 8, criticality: 7, age: 5 };

const CRITICALITY_POINTS: Record<Asset['criticality'], number> = { critical: 7, high: 5, medium: 3, low: 0 };

/** The CVSS scores of each severity (CVSS 3.1, section 5), and the score that replaces an unknown one. */
const SCORES: Record<Severity, { from: number; usual: number; to: number }> = {
  critical: { from: 9, usual: 9.5, to: 10 },
  high: { from: 7, usual: 8, to: 8.9 },
  medium: { from: 4, usual: 5.5, to: 6.9 },
  low: { from: 0.1, usual: 2, to: 3.9 },
  info: { from: 0, usual: 0, to: 0 },
};

/** A score outside its severity, which a person may have set, counts as the nearest score inside. */
function scoreOf({ severity, cvssScore }: Danger): number {
  const { from, usual, to } = SCORES[severity];
  return Math.min(to, Math.max(from, cvssScore ?? usual));
}

/** The means of people to lower a factor. */
const LOWER_BY: Record<Name, string | null> = {
  severity: 'set a lower severity, if something else limits the harm',
  epss: null,
  kev: null,
  exposure: 'make the asset unreachable from the internet, then set its internetExposed to false',
  criticality: 'set a lower criticality of the asset, once less depends on it',
  age: 'repair it, or accept the risk until a date',
};

/**
 * The factors of the priority; docs/priority.md has the formula and its reasons. An information does no harm, so that the
 * asset and the age give it points only where its vulnerability is known to be exploited.
 */
export function factorsOf(danger: Danger): PriorityFactor[] {
  const { severity, epss, kev = false, stakes = {}, late = false } = danger;
  const { exposed = false, criticality = 'medium' } = stakes;
  const harms = severity !== 'info' || kev;
  const score = scoreOf(danger);
  const parts: Record<Name, [value: string, points: number]> = {
    severity: [`${severity}, ${score.toFixed(1)}`, (MAX_POINTS.severity * score) / 10],
    epss: [epss === undefined ? 'no score' : String(epss), MAX_POINTS.epss * (epss ?? 0)],
    kev: [kev ? 'exploited' : 'not listed', kev ? MAX_POINTS.kev : 0],
    exposure: [exposed ? 'internet' : 'none known', harms && exposed ? MAX_POINTS.exposure : 0],
    criticality: [criticality, harms ? CRITICALITY_POINTS[criticality] : 0],
    age: [late ? 'overdue' : 'in time', harms && late ? MAX_POINTS.age : 0],
  };
  return FACTORS.map((name) => {
    const [value, exact] = parts[name];
    const points = Math.round(exact * 10) / 10;
    return { name, value, points, most: MAX_POINTS[name], lowerBy: points > 0 ? LOWER_BY[name] : null };
  });
}

/** The priority, 0 to 100: the sum of the factors' points, rounded. */
export const priorityOf = (danger: Danger): number =>
  Math.round(factorsOf(danger).reduce((sum, { points }) => sum + points, 0));
