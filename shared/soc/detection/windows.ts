/** A correlation counts in slots, parts of its span: it checks every span of this many consecutive slots. */
export type Slots = { slotMs: number; perSpan: number };

const SLOTS = 30;

/** Thirty slots to a span; of a span under half a minute, one a second. */
export const slotsOf = (timespanSeconds: number): Slots => {
  const perSpan = Math.min(SLOTS, timespanSeconds);
  return { slotMs: (timespanSeconds * 1000) / perSpan, perSpan };
};

export const slotOf = ({ slotMs }: Slots, atMs: number): number => Math.floor(atMs / slotMs);

/** The number of events in a slot, and their values. */
export type Counted = { slot: number; count: number; values: readonly string[] };

type Wanted = { perSpan: number; atLeast: number; counts: 'events' | 'values' };

/** The slots in a span with enough events or values. It depends only on the counts, not on the order of events. */
export function alertingSlots(counted: readonly Counted[], { perSpan, atLeast, counts }: Wanted): Set<number> {
  const sorted = counted.toSorted((a, b) => a.slot - b.slot);
  const alerting = new Set<number>();
  for (const [n, { slot: from }] of sorted.entries()) {
    const behind = sorted.findIndex(({ slot }) => slot >= from + perSpan);
    const span = sorted.slice(n, behind < 0 ? undefined : behind);
    const amount =
      counts === 'events'
        ? span.reduce((sum, { count }) => sum + count, 0)
        : new Set(span.flatMap(({ values }) => values)).size;
    if (amount >= atLeast) for (const { slot } of span) alerting.add(slot);
  }
  return alerting;
}
