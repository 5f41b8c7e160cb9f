import { inSeconds, nowMs } from '../runtime/clock.ts';
import { shortened } from '../runtime/texts.ts';
import { assertPublic } from './addresses.ts';
import { HostError } from './host-error.ts';
import { timeOf } from './told-time.ts';

/** The programming interface of a host that an organization connected, and how to prove who asks. */
export type HostAddress = { api: string; headers: Record<string, string>; callsPrivate: boolean };

type HostRequest = {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Behind the address of the interface; one that begins with a slash is of the host, as in the link to a next page. */
  path: string;
  body?: object;
  /** The answer is undefined where the host's is still this one (RFC 9110, conditional requests). */
  etag?: string | undefined;
};

export type HostAnswer = {
  body: unknown;
  headers: Headers;
  etag: string | undefined;
  /** The path of the next page (RFC 8288), as code hosts write it. */
  next: string | undefined;
};

const TIME_LIMIT_MS = 20_000;
const MAX_BYTES = 20_000_000;
const MOST_REDIRECTS = 3;

/** Asks a host. @returns undefined for an answer that did not change @throws HostError */
export async function askIfChanged(host: HostAddress, request: HostRequest): Promise<HostAnswer | undefined> {
  const answer = await send(host, request, new URL(request.path, host.api));
  if (answer.status === 304) return undefined;
  if (!answer.ok) throw await refusalOf(answer);
  const next = /<([^<>]{1,2000})>\s{0,9};[^,<]{0,200}\brel="?next\b/.exec(answer.headers.get('link') ?? '')?.[1];
  return {
    body: await bodyOf(answer),
    headers: answer.headers,
    etag: answer.headers.get('etag') ?? undefined,
    next: next === undefined ? undefined : pathOf(next),
  };
}

/** @throws HostError */
export async function askHost(host: HostAddress, request: Omit<HostRequest, 'etag'>): Promise<HostAnswer> {
  const answer = await askIfChanged(host, request);
  if (!answer) throw new HostError('unexpected_answer', 'It answers 304 to a request without a condition.');
  return answer;
}

/** Behind a proxy a host may write another name of itself: only the path counts. */
function pathOf(address: string): string | undefined {
  const url = URL.parse(address, 'http://host');
  return url ? `${url.pathname}${url.search}` : undefined;
}

/** A redirection is followed on the same host alone, which gets the token. */
async function send(host: HostAddress, request: HostRequest, url: URL, redirects = 0): Promise<Response> {
  if (!host.callsPrivate) await assertPublic(url);
  const { method = 'GET', body, etag } = request;
  const headers = {
    ...host.headers,
    accept: 'application/json',
    'user-agent': 'security-exposure-management',
    ...(body && { 'content-type': 'application/json' }),
    ...(etag && { 'if-none-match': etag }),
  };
  const answer = await fetch(url, {
    ...{ method, headers, redirect: 'manual', signal: AbortSignal.timeout(TIME_LIMIT_MS) },
    ...(body && { body: JSON.stringify(body) }),
  }).catch((error: Error) => {
    const { cause } = error;
    throw new HostError('unreachable', `It does not answer: ${cause instanceof Error ? cause.message : error.message}`);
  });
  const location = URL.parse(answer.headers.get('location') ?? '', url.href);
  if (![301, 302, 307, 308].includes(answer.status) || !location) return answer;
  await answer.body?.cancel();
  if (location.origin !== url.origin || redirects === MOST_REDIRECTS)
    throw new HostError('unexpected_answer', `It leads to ${location.host}: is \`baseUrl\` right?`);
  return send(host, request, location, redirects + 1);
}

async function bodyOf(answer: Response): Promise<unknown> {
  const text = await textOf(answer);
  if (text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    throw new HostError('unexpected_answer', 'It answers with no JSON: is `baseUrl` the address of the host?');
  }
}

async function textOf({ body }: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const part of body ?? []) {
      size += part.length;
      if (size > MAX_BYTES) throw new HostError('unexpected_answer', `Its answer is longer than ${MAX_BYTES} bytes.`);
      parts.push(part);
    }
  } catch (error) {
    throw error instanceof HostError ? error : new HostError('unreachable', 'Its answer breaks off.');
  }
  return Buffer.concat(parts).toString('utf8');
}

async function refusalOf(answer: Response): Promise<HostError> {
  const { status } = answer;
  const said = shortened((await textOf(answer).catch(() => '')).replaceAll(/\s+/g, ' '), 300);
  const retryAt = retryTime(answer, said);
  if (retryAt) return new HostError('rate_limited', `It takes no more requests until ${retryAt}.`, retryAt);
  if (status === 401) return new HostError('token_refused', `It refuses the token: ${said}`);
  if (status === 403) return new HostError('not_allowed', `The token may not do that: ${said}`);
  if (status === 404) return new HostError('not_found', 'It has no such thing, or the token may not see it.');
  if (status >= 500) return new HostError('unreachable', `It answers ${status}.`);
  return new HostError('unexpected_answer', `It answers ${status}: ${said}`);
}

export type RateLimit = { remaining: number; resetAt: string };

/** The requests that are left, by the headers that hosts send; null: it does not say. */
export function rateLimitOf(headers: Headers): RateLimit | null {
  const remaining = headers.get('x-ratelimit-remaining') ?? headers.get('ratelimit-remaining');
  const reset = timeOf(Number(headers.get('x-ratelimit-reset') ?? headers.get('ratelimit-reset') ?? Number.NaN));
  return remaining !== null && reset ? { remaining: Number(remaining), resetAt: reset } : null;
}

const LONGEST_WAIT_SECONDS = 2 * 3600;

/**
 * Until then the host takes no more requests; a minute where it does not say. GitHub's secondary limits leave requests over, and may be
 * told by the text alone: https://docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api#exceeding-the-rate-limit
 */
function retryTime({ status, headers }: Response, said: string): string | undefined {
  const limit = rateLimitOf(headers);
  const after = headers.get('retry-after');
  const isUsedUp = limit?.remaining === 0;
  const isLimit = status === 429 || (status === 403 && (isUsedUp || after !== null || /\brate limit\b/i.test(said)));
  if (!isLimit) return undefined;
  const reset = isUsedUp ? (Date.parse(limit.resetAt) - nowMs()) / 1000 : Number.NaN;
  const told = after === null ? reset : Number(after);
  return inSeconds(Math.min(Math.max(Number.isFinite(told) ? told : 60, 1), LONGEST_WAIT_SECONDS));
}
