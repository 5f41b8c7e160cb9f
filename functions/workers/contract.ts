import type { JobName } from '#shared/jobs/jobs.ts';
import type { WorkerHandler } from '#shared/jobs/worker.ts';

/** The Lambda of each queue. */
export type Worker = { job: JobName; load: () => Promise<{ handler: WorkerHandler }> };

export const workers: readonly Worker[] = [];

/** Work that the clock starts, not a message: its function runs at this interval. */
export type Schedule = { name: string; everySeconds: number; load: () => Promise<{ handler: () => Promise<void> }> };

export const schedules: readonly Schedule[] = [];
