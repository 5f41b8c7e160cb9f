import { nowMs } from '../../runtime/clock.ts';
import type { Dynamo } from '../../runtime/dynamo.ts';
import { timeOf } from '../../runtime/ids.ts';
import type { Grouped } from '../entity.ts';
import { type Adds, addChanges, addMarks, NOTHING } from '../layout/contribution.ts';
import { addGrouped } from '../layout/grouped.ts';
import { blockOfMark, blockOfOrder, isOrderRow, type Key, type Keys, MARK_LAYOUT, type Row } from '../layout/keys.ts';
import type { Layout } from '../layout/positions.ts';
import { type OrdinalRange, walk } from './walk.ts';

/** The rows that a collection should have, from the contributions of the records in some ranges. */
export type Recount = {
  records: number;
  /** Counter, mask, page and index rows. */
  rows: Adds;
  /** Sort keys of the rank rows. */
  ranks: Set<string>;
  /** Every rank row of a record below this ordinal is an hour old, if its record exists. */
  settledBelow: number;
};

export const emptyRecount = (): Recount => ({ records: 0, rows: new Map(), ranks: new Set(), settledBelow: 0 });

const SETTLED_MS = 3_600_000;

type Recounting = { range: OrdinalRange; into: Recount; grouped: Grouped | undefined; visit?: (row: Row) => void };

/**
 * Adds the contributions of the records in a range.
 * @param visit is called with the row of every record
 */
export async function recount(dynamo: Dynamo, keys: Keys, { range, into, grouped, visit }: Recounting): Promise<void> {
  const settled = nowMs() - SETTLED_MS;
  for await (const { row, ordinal, contribution } of walk(dynamo, keys, range)) {
    into.records++;
    const place = { keys, ordinal };
    const change = { from: NOTHING, to: contribution };
    addChanges(into.rows, place, change);
    if (grouped) addGrouped(into.rows, place, { grouped, change });
    addMarks(into.rows, place, { set: contribution.marks, clear: [] });
    for (const rank of contribution.ranks) into.ranks.add(keys.rank(rank, ordinal).sk);
    visit?.(row);
    if (timeOf(String(row.id)) < settled) into.settledBelow = ordinal;
  }
}

/** The lists and the groups that an entity declares. */
export type Lists = {
  main: Layout;
  parents: Record<string, { shape: Layout }>;
  grouped: Grouped | undefined;
};

/**
 * Removes the mask and index rows from a recount, except those whose block continues after the range. The rows of
 * facets, tallies and pages stay, because later records add to them.
 */
export function takeBlocks(rows: Adds, keys: Keys, { lists, before }: { lists: Lists; before: number }): Adds {
  const taken: Adds = new Map();
  for (const [id, row] of rows) {
    if (isWhole(keys, row.key.pk)) continue;
    const layout = layoutIn(keys, lists, row.key.pk);
    if (layout && (blockOfRow(row.key) + 1) * layout.span > before) continue;
    taken.set(id, row);
    rows.delete(id);
  }
  return taken;
}

/** True of facets, tallies and pages, which count more than one block of ordinals. */
const isWhole = (keys: Keys, pk: string): boolean =>
  pk === keys.facets(0).pk || `${pk}#`.startsWith(`${keys.pages('').pk}#`) || pk.startsWith(keys.tallies(''));

/** The block of a mask or index row. */
export const blockOfRow = (row: Key): number => (isOrderRow(row) ? blockOfOrder(row) : blockOfMark(row));

/** The layout of a mask or index row; undefined for a list that the entity no longer declares. */
export function layoutIn(
  keys: Keys,
  { main, parents }: Pick<Lists, 'main' | 'parents'>,
  pk: string,
): Layout | undefined {
  const masks = keys.masks('', 0, 0).pk;
  if (pk === masks) return main;
  if (!pk.startsWith(`${masks}#`)) return MARK_LAYOUT;
  const [list = ''] = pk.slice(masks.length + 1).split('=');
  return parents[list]?.shape;
}
