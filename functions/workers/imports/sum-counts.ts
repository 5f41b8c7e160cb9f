import type * as z from 'zod';
import type { Severity } from '#shared/reports/report/report.ts';
import type { Counts } from './results.ts';

/** The number of findings by what became of them, by kind of change and severity (`created:high`), and of those that were open before. */
export type Counted = { counts: z.infer<typeof Counts>; severities: Record<string, number>; openBefore: number };

export const NOTHING_COUNTED: Counted = {
  counts: { created: 0, updated: 0, unchanged: 0, closed: 0, reopened: 0 },
  severities: {},
  openBefore: 0,
};

/** The sums of both. */
export function sumCounts(one: Counted, other: Counted = NOTHING_COUNTED): Counted {
  const [{ counts: a }, { counts: b }] = [one, other];
  const counts = {
    created: a.created + b.created,
    updated: a.updated + b.updated,
    unchanged: a.unchanged + b.unchanged,
    closed: a.closed + b.closed,
    reopened: a.reopened + b.reopened,
  };
  const severities = { ...one.severities };
  for (const [name, amount] of Object.entries(other.severities)) severities[name] = (severities[name] ?? 0) + amount;
  return { counts, severities, openBefore: one.openBefore + other.openBefore };
}

/** Counts one more finding of a severity and a kind of change. */
export const oneMore = (counted: Counted['severities'], kind: string, severity: Severity): Counted['severities'] => ({
  ...counted,
  [`${kind}:${severity}`]: (counted[`${kind}:${severity}`] ?? 0) + 1,
});
