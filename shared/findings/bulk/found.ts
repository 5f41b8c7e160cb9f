import { ordinalOf } from '#shared/platform/runtime/ids.ts';
import { recordsAt, wholeRecordsAt } from '#shared/platform/table/selected.ts';
import type { Table } from '#shared/platform/table/table.ts';
import type { findings, StoredFinding } from '../finding/finding.ts';
import { findingsAt } from '../view/find.ts';
import type { FindingDetail, FindingRow } from '../view/view.ts';

/** A selected finding: its id, or its ordinal where a list gave it. */
export type Item = string | number;

/** The same once it was read, and where it is; without an id where a list named it and it is gone since. */
export type Found = { id: string; finding?: FindingRow; entity?: typeof findings } | undefined;

export type Reading = {
  /** Where the findings lie; wherever they lie unless it is named. */
  entity?: typeof findings;
  /** Reads the long fields too. */
  whole?: true;
};

/** Selected findings as they stand now, each at its place of the selection. */
export async function readFound(table: Table, items: readonly Item[], { entity, whole }: Reading): Promise<Found[]> {
  const placeOf = (item: Item) => (typeof item === 'number' ? item : ordinalOf(item));
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
