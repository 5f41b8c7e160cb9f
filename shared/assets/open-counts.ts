import { countersOf, openCounter } from '../entities/finding-measures.ts';
import { Severity } from '../reports/report.ts';
import { type Counts, readTalliesOf } from '../table/counters.ts';
import type { Entity } from '../table/entity.ts';
import type { Table } from '../table/table.ts';
import type { OpenBySeverity } from './risk.ts';

/** Open findings, or open vulnerabilities, of assets by severity, from counters: half a read unit for up to eight neighbours. */
export async function readOpenCounts(
  { dynamo, scope }: Pick<Table, 'dynamo' | 'scope'>,
  entity: Pick<Entity, 'name' | 'shards'>,
  assetIds: readonly string[],
): Promise<(assetId: string) => OpenBySeverity> {
  const blocks = [...new Set(assetIds.map((id) => countersOf(id).block))];
  const rows = await readTalliesOf({ dynamo, scope, entity }, 'open', blocks);
  return (assetId) => {
    const { block, digit } = countersOf(assetId);
    return countsIn(rows.get(block) ?? {}, digit);
  };
}

function countsIn(counts: Counts, digit: string): OpenBySeverity {
  const of = (severity: Severity) => counts[openCounter(digit, severity)] ?? 0;
  return Object.fromEntries(Severity.options.map((severity) => [severity, of(severity)])) as OpenBySeverity;
}
