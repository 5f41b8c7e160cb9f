/** A closing of at least this many findings, and of more than half of the scope's open ones, asks for confirmation. */
export const HELD_FROM = 20;
const HELD_SHARE = 0.5;

/** A finding of a scan scope that was not scanned for so long may be closed by another scope that has seen it too. */
export const IDLE_SECONDS = 30 * 86_400;

/** Whether a closing of `count` of the `open` findings of a scope is `held` until somebody confirms it. */
export const asksForConfirmation = (count: number, open: number): boolean =>
  count >= HELD_FROM && count > open * HELD_SHARE;
