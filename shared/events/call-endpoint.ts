import { call } from '#shared/platform/outgoing/call.ts';
import type { Called } from '#shared/platform/outgoing/delivery.ts';
import { failureCode } from '#shared/platform/outgoing/failure-code.ts';
import { HostError } from '#shared/platform/outgoing/host-error.ts';
import { elapsedMs, inSeconds, now, nowMs } from '#shared/platform/runtime/clock.ts';
import type { Network } from '#shared/platform/runtime/network.ts';
import { signedHeaders } from './signature.ts';

const TIME_LIMIT_MS = 15_000;
const LONGEST_WAIT_SECONDS = 86_400;

type Post = { network: Network; url: string; headers?: Record<string, string>; body: string };
type Request = Omit<Post, 'headers'> & { secrets: readonly string[]; eventId: string };

/** Sends an event to an endpoint, with its signature. */
export function callEndpoint({ secrets, eventId, ...post }: Request): Promise<Called> {
  const timestamp = String(Math.floor(nowMs() / 1000));
  return postTo({ ...post, headers: signedHeaders(secrets, { id: eventId, timestamp, body: post.body }) });
}

/** Posts a body, and follows no redirection. It never throws: how a call failed is its result. */
export async function postTo({ network, url, body, headers: more }: Post): Promise<Called> {
  const [at, began] = [now(), elapsedMs()];
  const headers = { ...more, 'content-type': 'application/json', 'user-agent': 'security-exposure-management' };
  const signal = AbortSignal.timeout(TIME_LIMIT_MS);
  const ended = (status: number | null, error: string | null) =>
    ({ at, status, error, milliseconds: Math.round(elapsedMs() - began), isGone: status === 410 }) as const;
  try {
    const answer = await call(network, new URL(url), { method: 'POST', headers, body, signal });
    answer.body.destroy();
    const { status } = answer;
    return { ...ended(status, refusal(status)), retryAt: retryAfter(answer.headers.get('retry-after')) };
  } catch (error) {
    return ended(null, error instanceof HostError ? error.message : `It does not answer (${failureCode(error)}).`);
  }
}

function refusal(status: number): string | null {
  if (status >= 200 && status <= 299) return null;
  if (status === 410) return 'It answers 410: it is gone.';
  return status >= 300 && status <= 399
    ? `It answers ${status}: a redirection is not followed. Change the address.`
    : `It answers ${status}.`;
}

/** Seconds or a date (RFC 9110, section 10.2.3). */
function retryAfter(text: string | null): string | undefined {
  if (text === null) return undefined;
  const seconds = /^\d{1,9}$/.test(text) ? Number(text) : (Date.parse(text) - nowMs()) / 1000;
  return seconds > 0 ? inSeconds(Math.min(seconds, LONGEST_WAIT_SECONDS)) : undefined;
}
