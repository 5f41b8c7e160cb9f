import { countersOf } from '#shared/assets/asset/asset-counters.ts';
import type { Counts } from '#shared/platform/table/counters.ts';
import type { Tally } from '#shared/platform/table/entity.ts';

/** The alerts of incidents, counted in rows that eight neighbouring incidents share, as findings are by asset. */
export function incidentTally(incidentId: string, isOpen: boolean): Tally {
  const { block, digit } = countersOf(incidentId);
  return { facet: 'incident', value: block, add: { [`${digit}n`]: 1, ...(isOpen && { [`${digit}o`]: 1 }) } };
}

export const rowOfIncident = (incidentId: string): string => countersOf(incidentId).block;

export function alertsIn(counts: Counts, incidentId: string): { total: number; open: number } {
  const { digit } = countersOf(incidentId);
  return { total: counts[`${digit}n`] ?? 0, open: counts[`${digit}o`] ?? 0 };
}
