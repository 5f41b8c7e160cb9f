/** A number in [0, 1), for jitter and for starting points that spread the load. Ids and secrets have sources of their own. */
export const random = (): number => Math.random();
