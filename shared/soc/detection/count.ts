import { chunksOf } from '#shared/platform/runtime/chunks.ts';
import { inSeconds } from '#shared/platform/runtime/clock.ts';
import { Overtaken } from '#shared/platform/runtime/errors.ts';
import type { Write } from '#shared/platform/table/io/commit.ts';
import { putWrite } from '#shared/platform/table/io/row.ts';
import type { Table } from '#shared/platform/table/table.ts';
import type { Correlation } from '../sigma/rule.ts';
import {
  addWrite,
  type Cell,
  COUNTED_DAYS,
  Counted,
  type Current,
  cellKey,
  countedBatches,
  countRows,
  currentIn,
  epochOf,
  epochsAround,
  nameWrite,
  Raised,
  raisedWrite,
  shortHash,
  valueHash,
} from './count-rows.ts';
import { placeKeys } from './sightings.ts';
import { fullSpans, type Slots } from './windows.ts';

/** The count of a correlation: which rule in which version, and its condition. */
export type Counting = {
  table: Table;
  rule: { id: string; version: number };
  slots: Slots;
  correlation: Pick<Correlation, 'atLeast' | 'counts'>;
};

/** Events of a slot that an alert must get, in the transaction that `settles` them. */
export type Due = { group: string; slot: number; name: string; eventCount: number; settles: Write };
type Raise = (due: readonly Due[]) => Promise<void>;

const CELLS_AT_ONCE = 60;
const ROWS_READ_AT_ONCE = 300;
/** Rounds in which others were faster each time; then the batch comes again. */
const MAX_ROUNDS = 100;
const DAY_SECONDS = 86_400;

/**
 * Counts the events of a batch once, however often the batch comes, in an order that does not vary: a part of the batch
 * leaves a row in the transaction that adds its events.
 * @returns false when another version of the rule counted the batch, as when it comes again after the rule was changed: to count it
 * again would put its events on an alert twice
 */
export async function countCells(counting: Counting, batchId: string, cells: readonly Cell[]): Promise<boolean> {
  const { table, rule, slots } = counting;
  for (const [n, chunk] of partsOf(counting, cells).entries()) {
    const key = shortHash(batchId, rule.id, n);
    const full = hasValues(counting) ? await fullSlots(counting, chunk) : new Set<string>();
    const batch = table.batch();
    const row = { key, version: rule.version, expiresAt: inSeconds(COUNTED_DAYS * DAY_SECONDS) };
    batch.write(putWrite(table.tenant, countedBatches, { row, expect: 'absent', fail: () => new Counted() }));
    for (const cell of chunk) {
      const values = full.has(cellKey(cell)) ? new Set<string>() : cell.values;
      batch.write(addWrite(table.tenant, slots, { ...cell, values }));
    }
    if (await isNew(batch.commit())) continue;
    const counted = await table.rows(countedBatches).find({ key }, true);
    if (counted?.version !== rule.version) return false;
  }
  return true;
}

const hasValues = ({ correlation: { counts } }: Counting): boolean => counts === 'values' || counts === 'order';

/**
 * Counts different names, such as those of the correlations that came about: each name counts once, however often it is counted.
 */
export async function countNames(counting: Counting, cells: readonly Cell[]): Promise<void> {
  const { table, slots, correlation } = counting;
  for (const some of partsOf(counting, togetherIn(cells))) {
    let rounds = 0;
    for (let isDone = false; !isDone; ) {
      if (++rounds > MAX_ROUNDS) throw new Overtaken();
      const current = new Map((await readSlots(counting, some, inOwnRow(slots))).map((one) => [cellKey(one), one]));
      const batch = table.batch();
      for (const cell of some) {
        const known = current.get(cellKey(cell))?.values ?? [];
        const values = new Set([...cell.values].filter((value) => !known.includes(valueHash(value))));
        if (values.size === 0 || known.length >= correlation.atLeast) continue;
        batch.write(nameWrite(table.tenant, slots, { ...cell, count: values.size, values }));
      }
      isDone = await isNew(batch.commit());
    }
  }
}

/** One cell for each place, with the values of all: a transaction writes a row once. */
function togetherIn(cells: readonly Cell[]): Cell[] {
  const byPlace = new Map<string, Cell>();
  for (const cell of cells) {
    const before = byPlace.get(cellKey(cell));
    byPlace.set(cellKey(cell), before ? { ...before, values: new Set([...before.values, ...cell.values]) } : cell);
  }
  return [...byPlace.values()];
}

const inOwnRow =
  (slots: Slots) =>
  ({ slot }: Place): number[] => [epochOf(slots, slot)];

/** A row of values takes one slot at a time: an expression of the table has a limit. */
function partsOf(counting: Counting, cells: readonly Cell[]): Cell[][] {
  if (!hasValues(counting)) return chunksOf(cells, CELLS_AT_ONCE);
  const bySlot = Map.groupBy(cells, ({ slot }) => slot);
  return [...bySlot.values()].flatMap((some) => chunksOf(some, CELLS_AT_ONCE));
}

async function isNew(commit: Promise<void>): Promise<boolean> {
  try {
    await commit;
    return true;
  } catch (error) {
    if (error instanceof Counted) return false;
    throw error;
  }
}

/** Slots with as many values as the rule needs: they need no more, and their rows stay small. */
async function fullSlots(counting: Counting, cells: readonly Cell[]): Promise<Set<string>> {
  const current = await readSlots(counting, cells, inOwnRow(counting.slots));
  const full = current.filter(({ values }) => values.length >= counting.correlation.atLeast);
  return new Set(full.map(cellKey));
}

type Place = Pick<Cell, 'group' | 'slot'>;

async function readSlots(
  { table, slots }: Counting,
  places: readonly Place[],
  epochsOf = ({ slot }: Place) => epochsAround(slots, slot),
): Promise<Current[]> {
  const wanted = places.flatMap((place) => epochsOf(place).map((epoch) => ({ group: place.group, epoch })));
  const keys = new Map(wanted.map((key) => [`${key.group} ${key.epoch}`, key]));
  const rows = await table.rows(countRows).findMany([...keys.values()], true);
  return rows.flatMap((row) => currentIn(slots, row));
}

/**
 * Adds to alerts the events of all slots in a span with enough events, also earlier ones. The same transaction records
 * this in their row, so that a kill between any two writes neither loses nor doubles an event.
 */
export async function raiseDue(counting: Counting, places: readonly Place[], raise: Raise): Promise<void> {
  for (const some of chunksOf(places, ROWS_READ_AT_ONCE)) {
    let rounds = 0;
    while (await raiseSome(counting, some, raise)) if (++rounds > MAX_ROUNDS) throw new Overtaken();
  }
}

/** @returns whether slots are left: another writer was faster, and nobody else may know these events */
async function raiseSome(counting: Counting, places: readonly Place[], raise: Raise): Promise<boolean> {
  const due = dueSlots(counting, places, await readSlots(counting, places));
  if (due.length === 0) return false;
  try {
    await raise(due.map((slot) => dueOf(counting, slot)));
    return false;
  } catch (error) {
    if (error instanceof Raised) return true;
    throw error;
  }
}

function dueSlots(counting: Counting, places: readonly Place[], current: readonly Current[]): Current[] {
  const alerting = new Set(
    spansWith(counting, places, current).flatMap(({ group, slots }) => slots.map((slot) => cellKey({ group, slot }))),
  );
  return current.filter((one) => alerting.has(cellKey(one)) && one.count > one.raised);
}

/** The spans with enough events in which a place is. */
function spansWith({ slots, correlation }: Counting, places: readonly Place[], current: readonly Current[]) {
  const { perSpan } = slots;
  const { atLeast, counts } = correlation;
  const keys = counts === 'order' ? placeKeys(atLeast).map(valueHash) : [];
  const touched = Map.groupBy(places, ({ group }) => group);
  return [...Map.groupBy(current, ({ group }) => group)].flatMap(([group, ofGroup]) =>
    fullSpans(ofGroup, { perSpan, atLeast, counts, keys })
      .filter(({ last }) => touched.get(group)?.some(({ slot }) => slot <= last && slot > last - perSpan))
      .map((span) => ({ ...span, group })),
  );
}

/** Where the correlation came about: the slots that end a span in which a place is. */
export async function placesOfSpans(counting: Counting, places: readonly Place[]): Promise<Place[]> {
  const found: Place[] = [];
  for (const some of chunksOf(places, ROWS_READ_AT_ONCE))
    for (const { group, last } of spansWith(counting, some, await readSlots(counting, some)))
      found.push({ group, slot: last });
  return [...new Map(found.map((place) => [cellKey(place), place])).values()];
}

const dueOf = ({ table }: Counting, current: Current): Due => {
  const { group, slot, raised, count } = current;
  const settles = raisedWrite(table.tenant, current);
  return { group, slot, eventCount: count - raised, name: `${group}.${slot}.${raised}`, settles };
};
