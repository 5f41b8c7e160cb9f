import { workerHandler } from '#shared/platform/jobs/worker.ts';
import { results } from './results.ts';
import { workBillingEvent } from './work-event.ts';

export const handler = workerHandler('billing', workBillingEvent, { results });
