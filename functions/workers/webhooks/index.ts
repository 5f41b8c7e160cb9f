import * as z from 'zod';
import { type Work, workerHandler } from '#shared/jobs/worker.ts';
import { results } from './results.ts';
import { noteHealth, workDelivery } from './work-delivery.ts';

const Input = z.object({ integrationId: z.uuid(), deliveryId: z.string() });

export const handler = workerHandler('webhooks', (work) => workDelivery(work), {
  results,
  deadLettered: ({ table, task }: Work) => {
    const { integrationId, deliveryId } = Input.parse(task.input);
    return noteHealth(table, { id: integrationId }, { failed: `The delivery ${deliveryId} could not be worked.` });
  },
});
