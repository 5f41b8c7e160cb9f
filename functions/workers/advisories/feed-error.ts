/** The feed's new content cannot be read; the former content stays. The message says why. */
export class FeedError extends Error {}
