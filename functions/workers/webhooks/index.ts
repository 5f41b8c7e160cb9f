import * as z from 'zod';
import { noteDelivery } from '#shared/code/integrations/health.ts';
import type { DeliveryResult } from '#shared/code/integrations/result.ts';
import type { JobName } from '#shared/platform/jobs/jobs.ts';
import { sendTask } from '#shared/platform/jobs/task.ts';
import { type Work, workerHandler } from '#shared/platform/jobs/worker.ts';
import { results } from './results.ts';
import { workDelivery } from './work-delivery.ts';

const Input = z.object({ integrationId: z.uuid(), deliveryId: z.string() });

/** Operations that releases before 1.9 queued here: their messages go on to the jobs that work them now. */
const MOVED = new Map<string, JobName>([
  ['receive_billing_event', 'billing'],
  ['sync_integration', 'hosts'],
  ['tell_scan', 'hosts'],
  ['revoke_clone_tokens', 'hosts'],
]);

export const handler = workerHandler('webhooks', run, {
  results,
  async deadLettered({ table, task }: Work) {
    if (task.operation !== 'receive_delivery') return;
    const { integrationId, deliveryId } = Input.parse(task.input);
    await noteDelivery(
      table,
      { id: integrationId },
      `The delivery ${deliveryId} could not be worked: ${task.error?.message ?? ''}`,
    );
  },
});

/** @throws when no release that runs knows the operation: the message comes again */
async function run(work: Work): Promise<DeliveryResult | undefined> {
  const { connections, table, task } = work;
  const job = MOVED.get(task.operation);
  if (job) {
    await sendTask(connections, table, { ...task, job });
    return undefined;
  }
  if (task.operation !== 'receive_delivery') throw new Error(`the operation ${task.operation}, which nobody works`);
  return workDelivery(work);
}
