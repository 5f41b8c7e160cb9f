/**
 * A closing of at least this many findings, and of more than half of the scan scope's open ones, needs a confirmation.
 */
export const HELD_FROM = 20;
const HELD_SHARE = 0.5;

/** A finding of a scan scope that was not scanned for so long may be closed by another scope that has seen it too. */
export const IDLE_SECONDS = 30 * 86_400;

/** Whether a closing of `count` of the `open` findings of a scan scope is `held` until a person confirms it. */
export const asksForConfirmation = (count: number, open: number): boolean =>
  count >= HELD_FROM && count > open * HELD_SHARE;
