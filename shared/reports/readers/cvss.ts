import type { Severity } from '../report/report.ts';

/** A vector of version 4.0 with every metric has 250 characters. */
const MAX_VECTOR = 300;

/**
 * The base score of a CVSS vector of version 2, 3.0, 3.1 or 4.0, or undefined for another text. The calculator (188 KB)
 * is loaded with the first vector, so that only workers that read reports carry it.
 */
export async function cvssScoreOf(vector: string): Promise<number | undefined> {
  if (vector.length > MAX_VECTOR) return undefined;
  const { default: calculator } = await import('ae-cvss-calculator');
  try {
    const parsed = calculator.fromVector(vector);
    if (!parsed?.isBaseFullyDefined()) return undefined;
    const score: unknown = parsed.calculateScores(false).overall;
    return typeof score === 'number' && Number.isFinite(score) ? score : undefined;
  } catch {
    return undefined;
  }
}

/**
 * A vector in the spelling of its version: tools leave out the prefix, or write brackets or `CVSS2#` in front. The metrics tell
 * the version: only 4.0 has attack requirements, and only 2 has no required privileges.
 */
export function spelledVector(text: string | undefined): string | undefined {
  const [, version, metrics] =
    /^\(?(?:CVSS:?v?(\d(?:\.\d)?)[#/])?\(?(\w{1,3}:[^()\s]*)\)?$/i.exec(text?.trim() ?? '') ?? [];
  if (metrics === undefined || text === undefined || text.length > MAX_VECTOR) return text;
  if (/\bAT:/.test(metrics)) return `CVSS:${version ?? '4.0'}/${metrics}`;
  if (/\bPR:/.test(metrics)) return `CVSS:${version?.includes('.') ? version : '3.1'}/${metrics}`;
  return version === undefined || version.startsWith('2') ? metrics : text;
}

/** The rating scale of CVSS 3.1, section 5; GitHub documents the same thresholds for SARIF's `security-severity`. */
export function severityOfScore(score: number): Severity {
  if (score >= 9) return 'critical';
  if (score >= 7) return 'high';
  if (score >= 4) return 'medium';
  return score > 0 ? 'low' : 'info';
}

/** A rating as a report gives it: a vector, a score or both. */
type Rating = { cvssVector?: string; cvssScore?: number };

/** Of several ratings of a vulnerability, the first one of the newest CVSS version; {} without a rating. */
export function newestCvss(ratings: readonly Rating[]): Rating {
  const versionOf = ({ cvssVector }: Rating) =>
    Number(/^CVSS:([\d.]{1,5})\//.exec(cvssVector ?? '')?.[1] ?? (cvssVector ? 2 : 0));
  const [newest = {}] = ratings
    .map((rating) => ({ ...rating, cvssVector: spelledVector(rating.cvssVector) }))
    .filter(({ cvssVector, cvssScore }) => cvssVector || cvssScore)
    .sort((a, b) => versionOf(b) - versionOf(a));
  return newest;
}
