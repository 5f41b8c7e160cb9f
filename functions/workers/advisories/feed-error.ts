/** A feed cannot be read as it came; the one before stays. The message says why. */
export class FeedError extends Error {}
