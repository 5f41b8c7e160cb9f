import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import createClient, { type Client as ClientOf } from 'openapi-fetch';
import type { components, paths } from '../dist/openapi.d.ts';
import { EXIT, type Exit, Failure, reasonOf } from './errors.ts';
import { oneLine } from './texts.ts';

export type Schemas = components['schemas'];
type ApiError = Schemas['Error'];
/** The typed client of the interface. Each request is retried, and each POST has its own idempotency key. */
export type Client = ClientOf<paths>;
/** The same for operations that need no credential. */
export type Anybody = ClientOf<paths>;

/** A refusal of the service: its message says what is wrong. */
export class Refused extends Failure {
  readonly code: ApiError['code'] | undefined;
  readonly status: number;

  constructor(status: number, body: Partial<ApiError>) {
    const { code, message, requestId } = body;
    const text = message ?? `The service answered ${status}.`;
    super(exitOf(status, code), oneLine(text), nextOf(status, code, requestId));
    this.code = code;
    this.status = status;
  }
}

function exitOf(status: number, code: ApiError['code'] | undefined): Exit {
  if (status === 401) return EXIT.credentials;
  if (status === 429 || code === 'limit_exceeded') return EXIT.limit;
  return status >= 500 ? EXIT.unreachable : EXIT.usage;
}

function nextOf(status: number, code: ApiError['code'] | undefined, requestId: string | undefined): string | undefined {
  if (code === 'insufficient_scope') return 'Use a credential that has it; "exposure whoami" shows what yours opens.';
  if (status === 401) return 'Run "exposure login" again, or check EXPOSURE_KEY.';
  if (status >= 500) return `Try again later; the provider finds the reason by the request ${requestId ?? ''}.`;
  return status === 429 ? 'Wait, then try again.' : undefined;
}

type Answer<T> = { data?: T; error?: unknown; response: Response };

/** The answer of a request. @throws Refused with the message of the service */
export async function answerOf<T>(request: Promise<Answer<T>>): Promise<T> {
  const { data, error, response } = await request;
  if (data !== undefined && response.ok) return data;
  throw new Refused(response.status, isError(error) ? error : {});
}

/** The refusal of a request that was sent without the types of the client. */
export function refusalOf(status: number, text: string): Refused {
  try {
    const body: unknown = JSON.parse(text);
    return new Refused(status, isError(body) ? body : {});
  } catch {
    return new Refused(status, {});
  }
}

const isError = (body: unknown): body is ApiError =>
  typeof body === 'object' && body !== null && 'code' in body && 'message' in body;

type Options = {
  url: string;
  userAgent: string;
  signal: AbortSignal;
  /** Seconds for which a request is repeated while the service cannot be reached. */
  retrySeconds: number;
  /** Notifies people of a pause. */
  note(message: string): void;
};

/** The credential of each request; `isRefused` after the service refused the last one. */
type Token = (isRefused: boolean) => Promise<string | undefined>;
export type Send = (request: Request) => Promise<Response>;

export const openClient = (url: string, send: Send): Client => createClient<paths>({ baseUrl: url, fetch: send });

/** Sends any request to the service, also one that the types of the client do not know. */
export const openSender =
  (options: Options, token?: Token): Send =>
  async (request) => {
    const first = await token?.(false);
    const sent = await prepared(request);
    const answer = await repeated(options, sent, first);
    if (answer.status !== 401 || !token || (await codeOf(answer)) === 'insufficient_scope') return answer;
    const second = await token(true);
    return second === undefined ? answer : repeated(options, sent, second);
  };

type Sent = { url: string; method: string; headers: Headers; body: ArrayBuffer | undefined };

/** The bytes of a request, which are the same in each attempt. */
async function prepared(request: Request): Promise<Sent> {
  const headers = new Headers(request.headers);
  if (request.method === 'POST' && !headers.has('idempotency-key')) headers.set('idempotency-key', randomUUID());
  const body = request.body ? await request.arrayBuffer() : undefined;
  return { url: request.url, method: request.method, headers, body };
}

const codeOf = async (answer: Response): Promise<string | undefined> => {
  const body: unknown = await answer
    .clone()
    .json()
    .catch(() => undefined);
  return isError(body) ? body.code : undefined;
};

const REQUEST_MS = 60_000;
const LONGEST_PAUSE_MS = 15_000;

/** Sends a request until it is answered for good, or until the time for retries has passed. */
async function repeated(options: Options, sent: Sent, token: string | undefined): Promise<Response> {
  const ends = Date.now() + options.retrySeconds * 1000;
  for (let attempt = 0; ; attempt++) {
    const outcome = await attempted(options, sent, token);
    const { pause, why } = await lossOf(outcome, sent, attempt);
    if (why === undefined || (Date.now() + pause > ends && outcome instanceof Response)) return finalOf(outcome);
    if (Date.now() + pause > ends) throw unreachable(options.url, why);
    options.note(`${why}; trying again in ${Math.ceil(pause / 1000)} s`);
    await sleep(pause, undefined, { signal: options.signal });
  }
}

type Outcome = Response | Error;

function finalOf(outcome: Outcome): Response {
  if (outcome instanceof Response) return outcome;
  throw outcome;
}

const unreachable = (url: string, why: string): Failure =>
  new Failure(
    EXIT.unreachable,
    `${url} cannot be reached: ${why}.`,
    'Check the address and the network. Behind a proxy set HTTPS_PROXY and NODE_USE_ENV_PROXY=1.',
  );

async function attempted({ userAgent, signal }: Options, sent: Sent, token: string | undefined): Promise<Outcome> {
  const headers = new Headers(sent.headers);
  headers.set('user-agent', userAgent);
  if (token !== undefined) headers.set('authorization', `Bearer ${token}`);
  const { url, method, body } = sent;
  try {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(REQUEST_MS)]);
    // a redirect could carry the credential elsewhere
    return await fetch(url, { method, headers, body, signal: limit, redirect: 'manual' });
  } catch (error) {
    signal.throwIfAborted();
    return error instanceof Error ? error : new Error(String(error));
  }
}

/** The reason to send a request again, with the pause before; no reason after an answer that stays. */
async function lossOf(outcome: Outcome, sent: Sent, attempt: number): Promise<{ pause: number; why?: string }> {
  const pause = Math.random() * Math.min(LONGEST_PAUSE_MS, 500 * 2 ** attempt);
  if (!(outcome instanceof Response)) {
    if (!isRepeatable(sent) && !wasNotSent(outcome)) throw maybeDone(outcome);
    return { pause, why: reasonOf(outcome) };
  }
  const after = Number(outcome.headers.get('retry-after') ?? 0) * 1000;
  if (isPassing(outcome.status) && (isRepeatable(sent) || [429, 503].includes(outcome.status)))
    return { pause: Math.max(after, pause), why: `the service answered ${outcome.status}` };
  const isBusy = outcome.status === 400 && sent.method === 'POST' && (await isInProgress(outcome));
  return isBusy ? { pause: 2_000, why: 'the request is still worked on' } : { pause };
}

const isPassing = (status: number): boolean => [429, 500, 502, 503, 504].includes(status);
/** A POST has its idempotency key; a second PATCH may meet another state. */
const isRepeatable = ({ method }: Sent): boolean => method !== 'PATCH';

const wasNotSent = ({ cause }: Error): boolean => /ECONNREFUSED|ENOTFOUND|EAI_AGAIN/.test(reasonOf(cause));

const maybeDone = (error: Error): Failure =>
  new Failure(
    EXIT.unreachable,
    `The connection was lost (${reasonOf(error)}): the service may have made the change, or not.`,
    'Look at "exposure tasks list", then repeat the command if it is missing there.',
  );

async function isInProgress(answer: Response): Promise<boolean> {
  const body: unknown = await answer
    .clone()
    .json()
    .catch(() => undefined);
  return isError(body) && body.code === 'conflict' && body.message.includes('Idempotency-Key is in progress');
}
