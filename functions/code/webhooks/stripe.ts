import { invalid } from '#shared/platform/runtime/errors.ts';
import { type JsonObject, textAt } from '#shared/reports/readers/json.ts';
import type { Unproven } from './sender.ts';
import { timedBytes } from './signature.ts';

/** The bytes that Stripe signed, if one of its signatures is of this secret and no older than five minutes: https://docs.stripe.com/webhooks#verify-manually */
export function signedBytes({ headers, bytes }: Unproven, secret: string): Uint8Array | undefined {
  const parts = (headers['stripe-signature'] ?? '').split(',').map((part) => part.trim());
  const valuesOf = (name: string) =>
    parts.flatMap((part) => (part.startsWith(`${name}=`) ? part.slice(name.length + 1) : []));
  const [time = ''] = valuesOf('t');
  return timedBytes(bytes, valuesOf('v1'), { key: secret, encoding: 'hex', before: `${time}.`, time });
}

/** An event of Stripe: https://docs.stripe.com/api/events/object @throws validation_failed */
export function describeEvent(body: JsonObject) {
  const [deliveryId, event] = [textAt(body, 'id') ?? '', textAt(body, 'type') ?? ''];
  if (!/^[\w.-]{1,100}$/.test(deliveryId)) throw invalid('id', 'must be the id of an event, such as evt_1');
  if (!/^[\w.-]{1,100}$/.test(event)) throw invalid('type', 'must be the type of an event, such as invoice.paid');
  const object = textAt(body, 'data', 'object', 'object');
  const customer = textAt(body, 'data', 'object', object === 'customer' ? 'id' : 'customer') ?? null;
  return { deliveryId, event, customer };
}
