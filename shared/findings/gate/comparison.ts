import type { Comparison } from '#shared/reports/report/comparison.ts';
import { Severity } from '#shared/reports/report/report.ts';
import type { StoredFinding } from '../finding/finding.ts';
import { isOpen } from '../finding/finding-status.ts';

export const noCounts = (): Record<Severity, number> =>
  Object.fromEntries(Severity.options.map((severity) => [severity, 0])) as Record<Severity, number>;

/** An open finding of a report. */
export type Listed = Pick<StoredFinding, 'id' | 'severity' | 'priority' | 'firstSeenAt'> & { isNew: boolean };

/** The stored outcome of an import. */
export type KeptComparison = { comparison: Comparison; listed: readonly Listed[] };

/** The open findings of a report: all are counted, of each severity the first are listed. */
export type Tally = Pick<Comparison, 'new' | 'existing'> & { listed: Listed[] };

/** The most listed findings of each severity, of new ones and of others. A gate reads their current state. */
const MAX_LISTED = 200;

/** The first ones of a gate's answer: new findings by priority, others by age. */
const firstOf = (listed: readonly Listed[]): Listed[] =>
  [...Map.groupBy(listed, ({ severity, isNew }) => `${severity} ${isNew}`).values()].flatMap((some) =>
    some
      .sort((a, b) => (a.isNew ? b.priority - a.priority : a.firstSeenAt < b.firstSeenAt ? -1 : 1))
      .slice(0, MAX_LISTED),
  );

export function tallyOf(
  seen: readonly { finding: Omit<Listed, 'isNew'> & Pick<StoredFinding, 'status'>; isNew: boolean }[],
): Tally {
  const tally: Tally = { new: noCounts(), existing: noCounts(), listed: [] };
  for (const { finding, isNew } of seen) {
    const { id, severity, priority, firstSeenAt, status } = finding;
    if (!isOpen(status)) continue;
    tally[isNew ? 'new' : 'existing'][severity] += 1;
    tally.listed.push({ id, severity, priority, firstSeenAt, isNew });
  }
  return { ...tally, listed: firstOf(tally.listed) };
}

export function together(tallies: readonly Tally[]): Tally {
  const sum = (name: 'new' | 'existing') => {
    const counts = noCounts();
    for (const tally of tallies) for (const severity of Severity.options) counts[severity] += tally[name][severity];
    return counts;
  };
  return { new: sum('new'), existing: sum('existing'), listed: firstOf(tallies.flatMap(({ listed }) => listed)) };
}

/** The outcomes of several reports as one. A finding that several list counts once, as a new one if it is new in one of them. */
export function asOne(kept: readonly KeptComparison[]): KeptComparison {
  const { listed, ...counts } = together(withoutRepeats(kept));
  const proven = kept.flatMap(({ comparison }) => comparison.fixed ?? []);
  const baseRef = kept.map(({ comparison }) => comparison.baseRef).find((name) => name !== null) ?? null;
  return { comparison: { baseRef, ...counts, fixed: proven.length > 0 ? added(proven) : null }, listed };
}

function withoutRepeats(kept: readonly KeptComparison[]): Tally[] {
  const news = new Set(kept.flatMap(({ listed }) => listed.flatMap(({ id, isNew }) => (isNew ? id : []))));
  const seen = new Set<string>();
  return kept.map(({ comparison, listed }) => {
    const counts = { new: { ...comparison.new }, existing: { ...comparison.existing } };
    const first = listed.filter(({ id, isNew, severity }) => {
      const isFirst = !seen.has(id) && isNew === news.has(id);
      if (isFirst) seen.add(id);
      else counts[isNew ? 'new' : 'existing'][severity] -= 1;
      return isFirst;
    });
    return { ...counts, listed: first };
  });
}

function added(some: readonly Comparison['new'][]): Record<Severity, number> {
  const counts = noCounts();
  for (const one of some) for (const severity of Severity.options) counts[severity] += one[severity];
  return counts;
}

/** Findings by severity. */
export function bySeverity(some: readonly Pick<StoredFinding, 'severity'>[]): Record<Severity, number> {
  const counts = noCounts();
  for (const { severity } of some) counts[severity] += 1;
  return counts;
}
