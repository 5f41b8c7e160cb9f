import { elapsedMs, inSeconds, nowMs } from '../runtime/clock.ts';
import type { Connections } from '../runtime/connections.ts';
import { timeLeftMs } from '../runtime/deadline.ts';
import { parseBounded } from '../runtime/json-cost.ts';
import { type Network, openNetwork } from '../runtime/network.ts';
import { shortened } from '../runtime/texts.ts';
import { type Answer, call } from './call.ts';
import { failureCode } from './failure-code.ts';
import { HostError } from './host-error.ts';
import type { Recorder } from './record-call.ts';
import { timeOf } from './reported-time.ts';

/** The network in which a host is, and until when it may be asked: one piece of work keeps a worker no longer than that. */
export type Reach = { network: Network; untilMs: number };

/** The programming interface of a host that an organization connected, and the proof of the caller's identity. */
export type HostAddress = Reach & {
  api: string;
  headers: Record<string, string>;
  /** Keeps the calls that bring something to the host in the ledger of deliveries. */
  record?: Recorder | undefined;
};

type HostRequest = {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /**
   * After the address of the interface; a path with a leading slash is absolute on the host, as in the link to a next
   * page.
   */
  path: string;
  body?: object;
  /** The type of the delivery that the call is, such as `jira.comment`; absent: the call only asks. */
  brings?: string;
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
/** The time of all requests of one piece of work: half of a worker's time; an area has only its own limit. */
const WORK_MS = 60_000;
/** A function needs this time to answer after its last request. */
const RESERVE_MS = 5000;
/** A page of a hundred entries has 700 KB; parsed, a page of this length takes 200 MB at most. */
const MAX_BYTES = 8_000_000;
const MAX_REDIRECTS = 3;

/** A host may be asked from now on, until the time for it is over. */
export function reachOf(connections: Pick<Connections, 'network' | 'settings'>): Reach {
  connections.network ??= openNetwork(connections.settings);
  return { network: connections.network, untilMs: elapsedMs() + WORK_MS };
}

/** Asks a host. @returns undefined for an answer that did not change @throws HostError */
export function askIfChanged(host: HostAddress, request: HostRequest): Promise<HostAnswer | undefined> {
  const { brings: type, path, body } = request;
  const ask = () => askNow(host, request);
  return host.record && type !== undefined ? host.record.call({ type, path, body }, ask) : ask();
}

async function askNow(host: HostAddress, request: HostRequest): Promise<HostAnswer | undefined> {
  const answer = await send(host, request, addressOf(host, request.path));
  const { status, headers } = answer;
  if (status === 304) {
    answer.body.resume();
    return undefined;
  }
  if (status < 200 || status > 299) throw await refusalOf(host, answer);
  const next = /<([^<>]{1,2000})>\s{0,9};[^,<]{0,200}\brel="?next\b/.exec(headers.get('link') ?? '')?.[1];
  return {
    body: await bodyOf(answer),
    headers,
    etag: headers.get('etag') ?? undefined,
    next: next === undefined ? undefined : pathOf(next),
  };
}

/** @throws HostError */
export async function askHost(host: HostAddress, request: Omit<HostRequest, 'etag'>): Promise<HostAnswer> {
  const answer = await askIfChanged(host, request);
  if (!answer) throw new HostError('unexpected_answer', 'It answers 304 to a request without a condition.');
  return answer;
}

/** Never of another host, which would get the token: `//other/x` is a path too. @throws HostError */
function addressOf({ api }: HostAddress, path: string): URL {
  const base = new URL(api);
  const url = URL.parse(path.startsWith('/') ? `${base.origin}${path}` : `${api}${path}`);
  const within = path.startsWith('/') ? '/' : base.pathname;
  if (url?.origin !== base.origin || !url.pathname.startsWith(within))
    throw new HostError('unexpected_answer', 'It names a path that is not of its interface.');
  return url;
}

/** Behind a proxy a host may name itself differently: only the path counts. */
function pathOf(address: string): string | undefined {
  const url = URL.parse(address, 'http://host');
  return url ? `${url.pathname}${url.search}` : undefined;
}

/** A redirection is followed only on the same host, which gets the token. */
async function send(host: HostAddress, request: HostRequest, url: URL, redirects = 0): Promise<Answer> {
  const { method = 'GET', body, etag } = request;
  const headers = {
    ...host.headers,
    accept: 'application/json',
    'accept-encoding': 'identity',
    'user-agent': 'security-exposure-management',
    ...(body && { 'content-type': 'application/json' }),
    ...(etag && { 'if-none-match': etag }),
  };
  const answer = await call(host.network, url, {
    method,
    headers,
    signal: AbortSignal.timeout(limitOf(host)),
    body: body && JSON.stringify(body),
  }).catch((error: unknown) => {
    throw error instanceof HostError
      ? error
      : new HostError('unreachable', `It does not answer (${failureCode(error)}).`);
  });
  const location = URL.parse(answer.headers.get('location') ?? '', url.href);
  if (![301, 302, 307, 308].includes(answer.status) || !location) return answer;
  answer.body.destroy();
  if (location.origin !== url.origin || redirects === MAX_REDIRECTS)
    throw new HostError('unexpected_answer', `It leads to ${location.host}: is \`baseUrl\` right?`);
  return send(host, request, location, redirects + 1);
}

/** In milliseconds. @throws HostError when the time is over */
function limitOf({ untilMs }: Reach): number {
  const left = Math.min(untilMs - elapsedMs(), (timeLeftMs() ?? Number.POSITIVE_INFINITY) - RESERVE_MS);
  if (left <= 0) throw new HostError('unreachable', 'Its answers take too long.');
  return Math.ceil(Math.min(TIME_LIMIT_MS, left));
}

async function bodyOf(answer: Answer): Promise<unknown> {
  const text = await textOf(answer);
  if (text === '') return undefined;
  try {
    return parseBounded(text);
  } catch {
    throw new HostError(
      'unexpected_answer',
      'It answers with no JSON, or with more than 100 levels or 500,000 values: is `baseUrl` the address of the host?',
    );
  }
}

export async function textOf({ body }: Answer): Promise<string> {
  const parts: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const part of body as AsyncIterable<Uint8Array>) {
      size += part.length;
      if (size > MAX_BYTES) throw new HostError('unexpected_answer', `Its answer is longer than ${MAX_BYTES} bytes.`);
      parts.push(part);
    }
  } catch (error) {
    throw error instanceof HostError ? error : new HostError('unreachable', 'Its answer ends early.');
  }
  return Buffer.concat(parts).toString('utf8');
}

async function refusalOf(host: HostAddress, answer: Answer): Promise<HostError> {
  const { status } = answer;
  const said = shortened(withoutSecrets(host, await textOf(answer).catch(() => '')).replaceAll(/\s+/g, ' '), 300);
  const retryAt = retryTime(answer, said);
  if (retryAt) return new HostError('rate_limited', `It accepts no more requests until ${retryAt}.`, retryAt);
  if (status === 401) return new HostError('token_refused', `It refuses the token: ${said}`);
  if (status === 403) return new HostError('not_allowed', `The token does not allow this request: ${said}`);
  if (status === 404) return new HostError('not_found', 'It has no such record, or the token may not see it.');
  if (status >= 500) return new HostError('unreachable', `It answers ${status}.`);
  return new HostError('unexpected_answer', `It answers ${status}: ${said}`);
}

/** Shorter secrets may be ordinary words of a text. */
const SHORTEST_SECRET = 8;

/** Some servers repeat the headers of a refused request, and viewers read the servers' messages. */
const withoutSecrets = ({ headers }: HostAddress, said: string): string =>
  Object.values(headers)
    .map((value) => value.replace(/^\w+ /, ''))
    .filter((secret) => secret.length >= SHORTEST_SECRET)
    .reduce((text, secret) => text.replaceAll(secret, '…'), said);
export type RateLimit = { remaining: number; resetAt: string };

/** The remaining requests, from the headers of hosts; null: the host does not report them. */
export function rateLimitOf(headers: Headers): RateLimit | null {
  const remaining = headers.get('x-ratelimit-remaining') ?? headers.get('ratelimit-remaining');
  const reset = timeOf(Number(headers.get('x-ratelimit-reset') ?? headers.get('ratelimit-reset') ?? Number.NaN));
  return remaining !== null && reset ? { remaining: Number(remaining), resetAt: reset } : null;
}

const LONGEST_WAIT_SECONDS = 2 * 3600;

/**
 * The time until which the host refuses requests; a minute where the host does not report it. GitHub's secondary limits
 * may leave requests over, and only the text may mention them:
 * https://docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api#exceeding-the-rate-limit
 */
function retryTime({ status, headers }: Answer, said: string): string | undefined {
  const limit = rateLimitOf(headers);
  const after = headers.get('retry-after');
  const isUsedUp = limit?.remaining === 0;
  const isLimit = status === 429 || (status === 403 && (isUsedUp || after !== null || /\brate limit\b/i.test(said)));
  if (!isLimit) return undefined;
  const reset = isUsedUp ? (Date.parse(limit.resetAt) - nowMs()) / 1000 : Number.NaN;
  const asked = after === null ? reset : Number(after);
  return inSeconds(Math.min(Math.max(Number.isFinite(asked) ? asked : 60, 1), LONGEST_WAIT_SECONDS));
}
