import { ordinalOf } from '#shared/platform/runtime/ids.ts';
import { recordsAt, wholeRecordsAt } from '#shared/platform/table/selected.ts';
import type { Table } from '#shared/platform/table/table.ts';
import type { findings, StoredFinding } from '../finding/finding.ts';
import { findingsAt } from '../view/find.ts';
import type { FindingDetail, FindingRow } from '../view/view.ts';

/** A selected finding: its id, or its ordinal from a list. */
export type Item = string | number;

export const placeOf = (item: Item): number => (typeof item === 'number' ? item : ordinalOf(item));

/** The finding and its collection after the read; without an id when a list had it and it was deleted since. */
export type Found = { id: string; finding?: FindingRow; entity?: typeof findings } | undefined;

export type Reading = {
  /** The collection of the findings; default: all collections. */
  entity?: typeof findings;
  /** Reads the long fields too. */
  whole?: true;
};

/** The current selected findings, each at its place in the selection. */
export async function readFound(table: Table, items: readonly Item[], { entity, whole }: Reading): Promise<Found[]> {
  const readFrom = (from: typeof findings, ordinals: readonly number[]): Promise<FindingRow[]> =>
    whole
      ? wholeRecordsAt<StoredFinding, FindingDetail>(table, from, { ordinals, consistent: true })
      : recordsAt<StoredFinding, FindingDetail>(table, from, ordinals);
  const found = await findingsAt([...new Set(items.map(placeOf))], readFrom, entity && [entity]);
  return items.map((item) => {
    const one = found.get(placeOf(item));
    if (typeof item === 'number') return one && { id: one.finding.id, ...one };
    return { id: item, ...(one?.finding.id === item && one) };
  });
}
