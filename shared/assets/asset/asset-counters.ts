import { ordinalOf } from '#shared/platform/runtime/ids.ts';
import type { Severity } from '#shared/reports/report/report.ts';

/** Assets of one scan have neighbouring ordinals, and often one finding each: this many assets share their rows. */
const ASSETS_PER_ROW = 8;

/**
 * The place of an asset's counters: the rows of its block (one for all days, or one for about ten days), with a digit
 * of its own before their names.
 */
export const countersOf = (assetId: string): AssetCounters => countersAt(ordinalOf(assetId));

type AssetCounters = { block: string; rowOf: (tenDays: string) => string; digit: string };

export function countersAt(ordinal: number): AssetCounters {
  const block = Math.floor(ordinal / ASSETS_PER_ROW)
    .toString(36)
    .padStart(8, '0');
  return { block, rowOf: (tenDays) => `${block} ${tenDays}`, digit: String(ordinal % ASSETS_PER_ROW) };
}

export const openCounter = (digit: string, severity: Severity): string => `${digit}${severity.slice(0, 1)}`;
