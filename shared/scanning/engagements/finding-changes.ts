import * as z from 'zod';
import { Severity } from '#shared/reports/report/report.ts';

const BySeverity = z.record(Severity, z.int().nonnegative());

/** The findings that scans changed, credited to the scan that saw it, zeros included. */
export const FindingChanges = z
  .object({ created: BySeverity, closed: BySeverity, reopened: BySeverity })
  .meta({ id: 'FindingChanges' });
export type FindingChanges = z.infer<typeof FindingChanges>;

const KINDS = ['created', 'closed', 'reopened'] as const;

/** Names the changes as counters of a row: `created:high`. Those that are 0 are left out. */
export const changeCounters = (changes: FindingChanges): Record<string, number> =>
  Object.fromEntries(
    KINDS.flatMap((kind) =>
      Object.entries(changes[kind]).map(([severity, n]) => [`${kind}:${severity}`, n] as const),
    ).filter(([, n]) => n > 0),
  );

export function changesIn(counters: Record<string, number>): FindingChanges {
  const of = (kind: string) =>
    Object.fromEntries(Severity.options.map((one) => [one, counters[`${kind}:${one}`] ?? 0])) as Record<
      Severity,
      number
    >;
  return { created: of('created'), closed: of('closed'), reopened: of('reopened') };
}

/** The changes of several reports together. */
export function sumOfChanges(all: readonly FindingChanges[]): FindingChanges {
  const sums: Record<string, number> = {};
  for (const one of all)
    for (const [name, n] of Object.entries(changeCounters(one))) sums[name] = (sums[name] ?? 0) + n;
  return changesIn(sums);
}
