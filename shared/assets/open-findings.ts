import { findings } from '../entities/finding.ts';
import { countersOf, openCounter } from '../entities/finding-measures.ts';
import { Severity } from '../reports/report.ts';
import { type Counts, readTalliesOf } from '../table/counters.ts';
import type { Table } from '../table/table.ts';
import type { OpenFindings } from './risk.ts';

/** The open findings of assets by severity, from counters: half a read unit for up to eight neighbouring assets. */
export async function openFindingsOf(
  { dynamo, scope }: Pick<Table, 'dynamo' | 'scope'>,
  assetIds: readonly string[],
): Promise<(assetId: string) => OpenFindings> {
  const blocks = [...new Set(assetIds.map((id) => countersOf(id).block))];
  const rows = await readTalliesOf({ dynamo, scope, entity: findings }, 'open', blocks);
  return (assetId) => {
    const { block, digit } = countersOf(assetId);
    return countsIn(rows.get(block) ?? {}, digit);
  };
}

function countsIn(counts: Counts, digit: string): OpenFindings {
  const of = (severity: Severity) => counts[openCounter(digit, severity)] ?? 0;
  return Object.fromEntries(Severity.options.map((severity) => [severity, of(severity)])) as OpenFindings;
}
