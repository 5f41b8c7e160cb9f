import * as z from 'zod';
import { noteDelivery } from '#shared/integrations/health.ts';
import { type Work, workerHandler } from '#shared/jobs/worker.ts';
import { workBillingEvent } from './billing/work-event.ts';
import { results } from './results.ts';
import { revokeTokens } from './revoke-tokens.ts';
import { syncIntegration } from './sync.ts';
import { tellScan } from './tell-scan.ts';
import { workDelivery } from './work-delivery.ts';

const Input = z.object({ integrationId: z.uuid(), deliveryId: z.string() });

const works = {
  receive_delivery: workDelivery,
  receive_billing_event: workBillingEvent,
  sync_integration: syncIntegration,
  tell_scan: tellScan,
  revoke_clone_tokens: revokeTokens,
};

const isKnown = (operation: string): operation is keyof typeof works => Object.hasOwn(works, operation);

export const handler = workerHandler('webhooks', run, {
  results,
  async deadLettered({ table, task }: Work) {
    // of a sync the integration shows what the code host answered
    if (task.operation !== 'receive_delivery') return;
    const { integrationId, deliveryId } = Input.parse(task.input);
    await noteDelivery(table, { id: integrationId }, `The delivery ${deliveryId} could not be worked.`);
  },
});

/** @throws when no release that runs knows the operation: the message comes again */
async function run(work: Work) {
  const { operation } = work.task;
  if (!isKnown(operation)) throw new Error(`the operation ${operation}, which nobody works`);
  return works[operation](work);
}
