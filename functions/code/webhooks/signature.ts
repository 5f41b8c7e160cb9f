import { createHmac } from 'node:crypto';
import { isSame } from '#shared/platform/crypto/same.ts';
import { nowMs } from '#shared/platform/runtime/clock.ts';

/** Seconds between a signature and its arrival: the tolerance of the libraries of Stripe and of Standard Webhooks. */
const TOLERANCE_SECONDS = 300;

/** Senders sign with one secret, or with two during a rotation. */
const MAX_SIGNATURES = 10;

/** HMAC with SHA-256 of bytes as they came: texts that differ in their bytes may be the same once they are decoded. */
const hmacOf = (key: string | Uint8Array, bytes: Uint8Array) => createHmac('sha256', key).update(bytes);

/**
 * Whether the secret signed the body; the header is for example `sha256=…` (W3C WebSub, "Authenticated Content
 * Distribution").
 */
export const isSignedBy = (secret: string, signature: string, bytes: Uint8Array): boolean =>
  isSame(signature, `sha256=${hmacOf(secret, bytes).digest('hex')}`);

type Timed = { key: string | Uint8Array; encoding: 'hex' | 'base64'; before: string; time: string };

/**
 * The bytes that were signed together with their time in Unix seconds, if one of the signatures is theirs and the time is within
 * five minutes. `before`: that which is signed before the body, and has the time.
 */
export function timedBytes(
  bytes: Uint8Array,
  given: readonly string[],
  { key, encoding, before, time }: Timed,
): Uint8Array | undefined {
  const isRecent = /^\d{1,12}$/.test(time) && Math.abs(nowMs() / 1000 - Number(time)) <= TOLERANCE_SECONDS;
  if (!isRecent) return undefined;
  const signed = Buffer.concat([Buffer.from(before), bytes]);
  const expected = hmacOf(key, signed).digest(encoding);
  const compared = given.slice(0, MAX_SIGNATURES).map((signature) => isSame(signature, expected));
  return compared.includes(true) ? signed : undefined;
}
