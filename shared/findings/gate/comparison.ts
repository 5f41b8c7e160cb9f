import type { Comparison } from '#shared/reports/report/comparison.ts';
import { Severity } from '#shared/reports/report/report.ts';
import type { StoredFinding } from '../finding/finding.ts';
import { isOpen } from '../finding/finding-status.ts';

export const noCounts = (): Record<Severity, number> =>
  Object.fromEntries(Severity.options.map((severity) => [severity, 0])) as Record<Severity, number>;

/** An open finding of a report. */
export type Listed = Pick<StoredFinding, 'id' | 'severity' | 'priority' | 'firstSeenAt'> & { isNew: boolean };

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

/** Findings by severity. */
export function bySeverity(some: readonly Pick<StoredFinding, 'severity'>[]): Record<Severity, number> {
  const counts = noCounts();
  for (const { severity } of some) counts[severity] += 1;
  return counts;
}
