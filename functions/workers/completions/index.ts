import { workerHandler } from '#shared/jobs/worker.ts';
import { complete } from './complete.ts';

export const handler = workerHandler('completions', complete);
