import { yesterday } from '#shared/findings/finding/filter.ts';
import { findings } from '#shared/findings/finding/finding.ts';
import { OPEN_STATUSES } from '#shared/findings/finding/finding-status.ts';
import { combinedBits, type Marked } from '#shared/platform/table/combined.ts';
import { both, countOf } from '#shared/platform/table/layout/bits.ts';
import { seenIn } from '#shared/platform/table/part.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { Severity } from '#shared/reports/report/report.ts';
import type { OpenRisk } from './risk.ts';

/** Counts the open findings of applications or teams: bits of the index, in two round trips. */
export async function openRisksOf({ dynamo, tenant, part }: Table, whose: readonly Marked[]): Promise<OpenRisk[]> {
  const bitsOf = (marked: Marked) => combinedBits({ dynamo, tenant, entity: findings }, marked);
  const open: Marked = { all: [seenIn(findings, part), { name: 'status', values: OPEN_STATUSES }] };
  const [owned, kev, overdue, ...severities] = await Promise.all([
    Promise.all(whose.map((marked) => bitsOf({ all: [marked, open] }))),
    bitsOf({ name: 'kev', values: ['true'] }),
    bitsOf({ order: 'due', to: yesterday() }),
    ...Severity.options.map((severity) => bitsOf({ name: 'severity', values: [severity] })),
  ]);
  return owned.map((own) => {
    const count = (bits: Awaited<ReturnType<typeof bitsOf>> | undefined) => (bits ? countOf(both(own, bits)) : 0);
    const open = Object.fromEntries(Severity.options.map((severity, n) => [severity, count(severities[n])]));
    return { open: open as OpenRisk['open'], kevOpen: count(kev), overdue: count(overdue) };
  });
}

export async function openRiskOf(table: Table, whose: Marked): Promise<OpenRisk> {
  const [risk] = await openRisksOf(table, [whose]);
  if (!risk) throw new Error('nothing is counted');
  return risk;
}
