import type { Results } from '#shared/platform/jobs/results.ts';

/** Events for endpoints have no tasks: their deliveries have the outcome. */
export const results = {} satisfies Results;
