import { createHash } from 'node:crypto';
import { inSeconds } from '#shared/platform/runtime/clock.ts';
import type { Write } from '#shared/platform/table/io/commit.ts';
import { condition, defineRow, rowKey, ttlOf } from '#shared/platform/table/io/row.ts';
import type { SlotCount, Slots } from './windows.ts';

/**
 * The events of a group in the slots of one span, for one text of a rule. For each slot: `c<n>` the events, `s<n>` the sum of their numbers, `r<n>` how
 * many of them belong to alerts, `v<n>.<hash>` a value. `raised`: how many of all slots belong to alerts.
 */
type CountRow = CountKey & Record<string, unknown>;
type CountKey = { group: string; epoch: number };

export const countRows = defineRow<CountRow, CountKey>({
  name: 'detection-count',
  about: "a correlation's events of one group, by slots of its span",
  key: ({ group, epoch }) => [group, String(epoch)],
});

type CountedRow = { key: string; version: number; expiresAt: string };

export const countedBatches = defineRow<CountedRow, Pick<CountedRow, 'key'>>({
  name: 'detection-counted',
  about:
    'a part of a batch of events that a correlation has counted, and in which version, for when the batch comes again',
  key: ({ key }) => [key],
  expiresAt: ({ expiresAt }) => expiresAt,
});

/** A queue keeps a message for 14 days, and its dead-letter queue may send it again for as long. */
export const COUNTED_DAYS = 30;
const DAY_SECONDS = 86_400;

export const shortHash = (...parts: readonly unknown[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 22);

export const valueHash = (value: string): string => shortHash(value).slice(0, 8);

export type Cell = { group: string; slot: number; count: number; sum: number; values: ReadonlySet<string> };

/** The span, on the clock, whose row has a slot. */
export const epochOf = ({ perSpan }: Slots, slot: number): number => Math.floor(slot / perSpan);

const placeIn = (slots: Slots, slot: number) => {
  const epoch = epochOf(slots, slot);
  return { epoch, n: slot - epoch * slots.perSpan };
};

/** The rows of all slots that may share a span with this slot. */
export const epochsAround = (slots: Slots, slot: number): number[] => {
  const epoch = epochOf(slots, slot);
  return [epoch - 1, epoch, epoch + 1];
};

/** Adds the events of a cell. Rows are useful until no late events can come. */
export function addWrite(scope: string, slots: Slots, { group, slot, count, sum, values }: Cell): Write {
  const { epoch, n } = placeIn(slots, slot);
  const ttl = ttlOf(inSeconds((2 * slots.perSpan * slots.slotMs) / 1000 + 2 * DAY_SECONDS));
  const marks = Object.fromEntries([...values].map((value) => [`v${n}.${valueHash(value)}`, 1]));
  return {
    change: rowKey(scope, countRows, { group, epoch }),
    set: { group, epoch, ttl, ...marks },
    add: { [`c${n}`]: count, ...(sum !== 0 && { [`s${n}`]: sum }) },
  };
}

/** A slot in texts. */
export const cellKey = ({ group, slot }: Pick<Cell, 'group' | 'slot'>): string => `${group} ${slot}`;

/** Adds values to a cell, on condition that its slot has none of them yet. */
export function nameWrite(scope: string, slots: Slots, cell: Cell): Write {
  const { n } = placeIn(slots, cell.slot);
  const names = [...cell.values].map((value, i) => [`#v${i}`, `v${n}.${valueHash(value)}`] as const);
  return {
    ...addWrite(scope, slots, cell),
    condition: {
      ConditionExpression: names.map(([name]) => `attribute_not_exists(${name})`).join(' AND '),
      ExpressionAttributeNames: Object.fromEntries(names),
    },
    fail: () => new Counted(),
  };
}

/** These events, or some of these values, were counted before. */
export class Counted extends Error {}

/** Another writer put events of the row on alerts meanwhile. */
export class Raised extends Error {}

/**
 * Records that an alert has the events of a slot, if the row's number of such events has not changed since the read:
 * that number only grows, so that no event is added twice.
 */
export const raisedWrite = (scope: string, { group, epoch, n, count, raised, ofRow }: Current): Write => ({
  change: rowKey(scope, countRows, { group, epoch }),
  set: { [`r${n}`]: count },
  add: { raised: count - raised },
  condition: condition({ raised: ofRow || undefined }),
  fail: () => new Raised(),
});

/**
 * The current state of a slot. `raised`: how many of its events belong to alerts; `ofRow`: how many of all slots of its
 * row.
 */
export type Current = SlotCount & { group: string; epoch: number; n: number; raised: number; ofRow: number };

export function currentIn(slots: Slots, row: CountRow): Current[] {
  const { group, epoch } = row;
  const values = Map.groupBy(
    Object.keys(row).filter((name) => /^v\d/.test(name)),
    (name) => Number(name.slice(1, name.indexOf('.'))),
  );
  const ofRow = numberIn(row, 'raised');
  const numbers = Object.keys(row).flatMap((name) => (/^c\d/.test(name) ? [Number(name.slice(1))] : []));
  return numbers.map((n) => ({
    group,
    epoch,
    n,
    slot: epoch * slots.perSpan + n,
    count: numberIn(row, `c${n}`),
    sum: numberIn(row, `s${n}`),
    raised: numberIn(row, `r${n}`),
    ofRow,
    values: (values.get(n) ?? []).map((name) => name.slice(name.indexOf('.') + 1)),
  }));
}

const numberIn = (row: CountRow, name: string): number => Number(row[name] ?? 0);
