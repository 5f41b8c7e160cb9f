import type { Correlation } from '../sigma/rule.ts';

/** A correlation counts in slots, parts of its span: it checks every span of this many consecutive slots. */
export type Slots = { slotMs: number; perSpan: number };

const SLOTS = 30;

/** Thirty slots to a span; of a span under half a minute, one a second. */
export const slotsOf = (timespanSeconds: number): Slots => {
  const perSpan = Math.min(SLOTS, timespanSeconds);
  return { slotMs: (timespanSeconds * 1000) / perSpan, perSpan };
};

export const slotOf = ({ slotMs }: Slots, atMs: number): number => Math.floor(atMs / slotMs);

/** The number of events in a slot, their values, and the sum of their numbers. */
export type SlotCount = { slot: number; count: number; sum: number; values: readonly string[] };

/** `keys`: the values in the order in which `order` wants them. */
type Wanted = { perSpan: number; atLeast: number; counts: Correlation['counts']; keys: readonly string[] };

const amountOf: Record<Wanted['counts'], (span: readonly SlotCount[], keys: readonly string[]) => number> = {
  events: (span) => span.reduce((sum, { count }) => sum + count, 0),
  sum: (span) => span.reduce((sum, one) => sum + one.sum, 0),
  values: (span) => new Set(span.flatMap(({ values }) => values)).size,
  order: (span, keys) => span.reduce((next, { values }) => nextAfter(values, keys, next), 0),
};

/** How many keys were met in their order, with the values of one more slot. */
function nextAfter(values: readonly string[], keys: readonly string[], before: number): number {
  const missing = keys.findIndex((key, n) => n >= before && !values.includes(key));
  return missing < 0 ? keys.length : missing;
}

/** A span with enough events or values: its slots with events, the last of which ends it. */
type Full = { last: number; slots: readonly number[] };

/** It depends only on the counts, not on the order in which events come. */
export function fullSpans(counted: readonly SlotCount[], { perSpan, atLeast, counts, keys }: Wanted): Full[] {
  const sorted = counted.toSorted((a, b) => a.slot - b.slot);
  return sorted.flatMap(({ slot: last }, n) => {
    const span = sorted.slice(
      sorted.findIndex(({ slot }) => slot > last - perSpan),
      n + 1,
    );
    return amountOf[counts](span, keys) >= atLeast ? [{ last, slots: span.map(({ slot }) => slot) }] : [];
  });
}
