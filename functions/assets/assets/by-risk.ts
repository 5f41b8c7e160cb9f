import { type Asset, assets } from '#shared/assets/asset/asset.ts';
import { readOpenFindingsAt } from '#shared/assets/asset/open-counts.ts';
import { riskScore } from '#shared/assets/asset/risk.ts';
import { findPositions } from '#shared/platform/table/list.ts';
import type { MarkQuery } from '#shared/platform/table/match.ts';
import type { Table } from '#shared/platform/table/table.ts';

type Rated = Pick<Asset, 'criticality' | 'internetExposed'>;

/**
 * Puts the places of assets in the order of their risk, equal ones as they were. Counters have the findings and the
 * index has criticality and exposure, so that no asset is read and an order needs no write when a finding changes.
 */
export const byRisk = (table: Table) => async (ordinals: readonly number[]) => {
  const [openOn, ratingOf] = await Promise.all([readOpenFindingsAt(table, ordinals), readRatings(table)]);
  const scored = ordinals.map((ordinal) => ({ ordinal, score: riskScore(openOn(ordinal), ratingOf(ordinal)) }));
  return scored.sort((a, b) => b.score - a.score).map(({ ordinal }) => ordinal);
};

async function readRatings(table: Table): Promise<(ordinal: number) => Rated> {
  const [critical, high, low, exposed] = await Promise.all([
    placesOf(table, { criticality: 'critical' }),
    placesOf(table, { criticality: 'high' }),
    placesOf(table, { criticality: 'low' }),
    placesOf(table, { exposed: 'true' }),
  ]);
  const criticalityOf = (ordinal: number): Asset['criticality'] => {
    if (critical.has(ordinal)) return 'critical';
    if (high.has(ordinal)) return 'high';
    return low.has(ordinal) ? 'low' : 'medium';
  };
  return (ordinal) => ({ criticality: criticalityOf(ordinal), internetExposed: exposed.has(ordinal) });
}

async function placesOf({ dynamo, tenant }: Table, where: NonNullable<MarkQuery['where']>): Promise<Set<number>> {
  const all = { where, paginateFrom: 0, paginateSize: Infinity };
  return new Set((await findPositions({ dynamo, tenant, entity: assets }, all)).ordinals);
}
