import { BILLING } from '#shared/code/integrations/deliveries.ts';
import { countDelivery } from '#shared/code/integrations/delivery-counts.ts';
import type { Connections } from '#shared/platform/runtime/connections.ts';
import { isUnsetSecret } from '#shared/platform/runtime/secrets.ts';
import { systemActor } from '#shared/platform/table/actor.ts';
import { GLOBAL_SCOPE } from '#shared/platform/table/layout/keys.ts';
import { openTable } from '#shared/platform/table/table.ts';
import { keepDelivery } from './keep-delivery.ts';
import type { WebhookCall } from './receive.ts';
import { refused } from './sender.ts';
import { describeEvent, signedBytes } from './stripe.ts';

/**
 * Takes an event of the payment processor. The deployment has one account: the event belongs to no organization until a
 * worker finds its customer.
 * @throws unauthorized, validation_failed
 */
export async function receiveBilling({ connections, cause, body, request }: Omit<WebhookCall, 'query'>) {
  const secret = await webhookSecret(connections);
  const signs = secret && signedBytes(request, secret);
  if (!signs) throw refused(REFUSED);
  const about = describeEvent(body());
  const table = openTable(connections.dynamo, GLOBAL_SCOPE, { ...systemActor, cause });
  return keepDelivery(
    { connections, table, integrationId: BILLING },
    {
      about,
      bytes: request.bytes,
      subject: about.customer,
      signs,
      isSignedAnew: true,
      operation: 'receive_billing_event',
      job: 'billing',
      refusal: REFUSED,
      also: [countDelivery(table, BILLING, about.event)],
    },
  );
}

const REFUSED =
  'The event is not signed with the webhook secret of this deployment, not within the last five minutes, or came before with the ' +
  'same signature.';

/** Undefined until an operator has written it. */
async function webhookSecret({ secrets, settings }: Connections): Promise<string | undefined> {
  try {
    return (await secrets.get(settings.BILLING_SECRET)).trim();
  } catch (error) {
    if (isUnsetSecret(error)) return undefined;
    throw error;
  }
}
