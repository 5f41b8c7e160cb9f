import type { Results } from '#shared/platform/jobs/results.ts';

/** Batches have no tasks: their rows have the outcome. */
export const results = {} satisfies Results;
