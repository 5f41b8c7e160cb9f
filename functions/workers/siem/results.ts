import type { Results } from '#shared/platform/jobs/results.ts';

/** Batches have no tasks: their rows say what became of them. */
export const results = {} satisfies Results;
