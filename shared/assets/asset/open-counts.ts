import { ApiError } from '#shared/platform/runtime/errors.ts';
import { type Counts, readTallies, readTalliesOf } from '#shared/platform/table/counters.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { Severity } from '#shared/reports/report/report.ts';
import { countersAt, countersOf, openCounter } from './asset-counters.ts';
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

/** Rows that one call each gets: half a read unit, whatever its length. */
const MOST_SINGLE = 250;
/** Neighbouring rows of counts that are about one answer of the store: at most 125 read units. */
const MOST_NEIGHBOURS = 4_000;

/**
 * Open findings of the assets at these ordinals, many or few.
 * @throws unsupported_filter for so many assets that their counts are more than one answer of the store
 */
export async function readOpenFindingsAt(
  { dynamo, tenant }: Pick<Table, 'dynamo' | 'tenant'>,
  ordinals: readonly number[],
): Promise<(ordinal: number) => OpenBySeverity> {
  const source = { dynamo, tenant, entity: COUNTED.findings };
  const blocks = [...new Set(ordinals.map((ordinal) => countersAt(ordinal).block))].sort();
  const [from = '', to = ''] = [blocks[0], blocks.at(-1)];
  const isNear = Number.parseInt(to, 36) - Number.parseInt(from, 36) < MOST_NEIGHBOURS;
  if (blocks.length > MOST_SINGLE && !isNear) throw new ApiError('unsupported_filter', TOO_MANY);
  const rows =
    blocks.length > MOST_SINGLE
      ? new Map((await readTallies(source, 'open', { from, to })).map(({ value, counts }) => [value, counts]))
      : await readTalliesOf(source, 'open', blocks);
  return (ordinal) => {
    const { block, digit } = countersAt(ordinal);
    return countsIn(rows.get(block) ?? {}, digit);
  };
}

const TOO_MANY =
  'These are too many assets to compare their risk: narrow the list, for example with `criticality` or `zone`, or leave `sort` out.';

function countsIn(counts: Counts, digit: string): OpenBySeverity {
  const of = (severity: Severity) => counts[openCounter(digit, severity)] ?? 0;
  return Object.fromEntries(Severity.options.map((severity) => [severity, of(severity)])) as OpenBySeverity;
}
