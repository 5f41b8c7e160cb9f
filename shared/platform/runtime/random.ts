/** The only place that draws random numbers; ids and secrets have sources of their own. Tests fix it with `setRandom`. */
let draw: () => number = Math.random;

/** A number in [0, 1), for jitter and for starting points that spread the load. */
export const random = (): number => draw();

/** Replaces the source, for tests whose outcome must not vary. Without an argument it restores the real source. */
export function setRandom(source: () => number = Math.random): void {
  draw = source;
}
