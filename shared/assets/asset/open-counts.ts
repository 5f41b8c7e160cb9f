import { type Counts, readTalliesOf } from '#shared/platform/table/counters.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { Severity } from '#shared/reports/report/report.ts';
import { countersOf, openCounter } from './asset-counters.ts';
import type { OpenBySeverity } from './risk.ts';

/**
 * Only the names of the collections: their declarations would bring all counters of a finding into each area of assets.
 */
export const COUNTED = {
  findings: { name: 'finding', shards: 1 },
  vulnerabilities: { name: 'vulnerability', shards: 1 },
} as const;

/** Open findings, or open vulnerabilities, of assets by severity, from counters: half a read unit for up to eight neighbours. */
export async function readOpenCounts(
  { dynamo, tenant }: Pick<Table, 'dynamo' | 'tenant'>,
  collection: keyof typeof COUNTED,
  assetIds: readonly string[],
): Promise<(assetId: string) => OpenBySeverity> {
  const blocks = [...new Set(assetIds.map((id) => countersOf(id).block))];
  const rows = await readTalliesOf({ dynamo, tenant, entity: COUNTED[collection] }, 'open', blocks);
  return (assetId) => {
    const { block, digit } = countersOf(assetId);
    return countsIn(rows.get(block) ?? {}, digit);
  };
}

function countsIn(counts: Counts, digit: string): OpenBySeverity {
  const of = (severity: Severity) => counts[openCounter(digit, severity)] ?? 0;
  return Object.fromEntries(Severity.options.map((severity) => [severity, of(severity)])) as OpenBySeverity;
}
