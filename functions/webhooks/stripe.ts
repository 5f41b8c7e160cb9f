import { createHmac } from 'node:crypto';
import { isSame } from '#shared/crypto/same.ts';
import { textAt } from '#shared/reports/json.ts';
import { nowMs } from '#shared/runtime/clock.ts';
import { invalid } from '#shared/runtime/errors.ts';
import type { Sent } from './sender.ts';

/** Seconds between the signature and its arrival: the tolerance of Stripe's own libraries. */
const TOLERANCE_SECONDS = 300;

/** Stripe signs with one secret, and with two while one of them ends. */
const MOST_SIGNATURES = 10;

/** The bytes that Stripe signed, if one of its signatures is of this secret and no older than five minutes: https://docs.stripe.com/webhooks#verify-manually */
export function signedBytes({ headers, bytes }: Sent, secret: string): Uint8Array | undefined {
  const parts = (headers['stripe-signature'] ?? '').split(',').map((part) => part.trim());
  const valuesOf = (name: string) =>
    parts.flatMap((part) => (part.startsWith(`${name}=`) ? part.slice(name.length + 1) : []));
  const [time = ''] = valuesOf('t');
  const isRecent = /^\d{1,12}$/.test(time) && Math.abs(nowMs() / 1000 - Number(time)) <= TOLERANCE_SECONDS;
  if (!isRecent) return undefined;
  const signed = Buffer.concat([Buffer.from(`${time}.`), bytes]);
  const expected = createHmac('sha256', secret).update(signed).digest('hex');
  const given = valuesOf('v1').slice(0, MOST_SIGNATURES);
  return given.map((signature) => isSame(signature, expected)).includes(true) ? signed : undefined;
}

/** An event of Stripe: https://docs.stripe.com/api/events/object @throws validation_failed */
export function describeEvent({ body }: Sent) {
  const [deliveryId, event] = [textAt(body, 'id') ?? '', textAt(body, 'type') ?? ''];
  if (!/^[\w.-]{1,100}$/.test(deliveryId)) throw invalid('id', 'must be the id of an event, such as evt_1');
  if (!/^[\w.-]{1,100}$/.test(event)) throw invalid('type', 'must be the type of an event, such as invoice.paid');
  const object = textAt(body, 'data', 'object', 'object');
  const customer = textAt(body, 'data', 'object', object === 'customer' ? 'id' : 'customer') ?? null;
  return { deliveryId, event, customer };
}
