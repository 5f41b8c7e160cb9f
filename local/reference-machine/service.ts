import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';

type Credential = { clientId: string; clientSecret: string };

/** A final refusal: the request itself is wrong, and repeating it would not help. */
export class Refused extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(`${code}: ${message}`);
    this.status = status;
    this.code = code;
  }
}

/**
 * Whether the credential is no longer valid. For a disabled machine the service refuses single operations until the
 * machine is enabled.
 */
export const endsMachine = (error: unknown): boolean =>
  error instanceof Refused && error.status === 401 && error.code !== 'insufficient_scope';

export type Service = {
  post(path: string, body: unknown, signal?: AbortSignal): Promise<Record<string, unknown>>;
  get(path: string, signal?: AbortSignal): Promise<Record<string, unknown>>;
};

const Fields = z.record(z.string(), z.unknown());

type Request = { method: 'GET' | 'POST'; path: string; body?: unknown; signal?: AbortSignal };

const longestPauseMs = 60_000;

/** A random pause before the next try, so that machines that lost the service together do not return together. */
export const pauseBefore = (attempt: number): number => Math.random() * Math.min(longestPauseMs, 500 * 2 ** attempt);

/**
 * A client of the service for a machine. It gets an access token when needed and repeats a request while the service is
 * down, overloaded (429, 503) or broken (500), or over a limit of the organization (400 `limit_exceeded`). Any other 400 or
 * 401 is final, except for an expired token.
 */
export function openService(url: string, credential?: () => Credential): Service {
  let token: string | undefined;
  let isLost = false;
  const authorization = async (signal?: AbortSignal): Promise<Record<string, string>> => {
    if (!credential) return {};
    const { clientId, clientSecret } = credential();
    const body = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret };
    token ??= String((await request({ method: 'POST', path: '/api/v1/oauth/token', body, signal }, {})).access_token);
    return { authorization: `Bearer ${token}` };
  };
  const request = async (wanted: Request, headers: Record<string, string>) => {
    for (let attempt = 0; ; attempt++) {
      const answer = await send(url, wanted, headers);
      if (answer && isLost) console.error('the service is reached again');
      isLost = !answer;
      if (answer?.ok) return answer.body;
      if (answer && !isPassing(answer)) throw refused(answer);
      await sleep(pauseBefore(attempt), undefined, { signal: wanted.signal });
    }
  };
  const authorized = async (wanted: Request) => {
    try {
      return await request(wanted, await authorization(wanted.signal));
    } catch (error) {
      if (!(error instanceof Refused) || error.status !== 401 || token === undefined) throw error;
      token = undefined; // the token expired, or the signing key was changed
      return request(wanted, await authorization(wanted.signal));
    }
  };
  return {
    post: (path, body, signal) => authorized({ method: 'POST', path, body, signal }),
    get: (path, signal) => authorized({ method: 'GET', path, signal }),
  };
}

type Sent = { ok: boolean; status: number; body: Record<string, unknown> };

async function send(
  url: string,
  { method, path, body, signal }: Request,
  headers: Record<string, string>,
): Promise<Sent | undefined> {
  try {
    const limit = AbortSignal.timeout(60_000);
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
      body: body === undefined ? undefined : JSON.stringify(body),
      signal: signal ? AbortSignal.any([signal, limit]) : limit,
    });
    return { ok: response.ok, status: response.status, body: Fields.parse(await response.json()) };
  } catch (error) {
    signal?.throwIfAborted();
    console.error(`the service cannot be reached (${error instanceof Error ? error.message : error}); trying again`);
    return undefined;
  }
}

const isPassing = ({ status, body: { code } }: Sent): boolean =>
  status >= 500 || status === 429 || code === 'limit_exceeded';

const refused = ({ status, body }: Sent): Refused =>
  new Refused(status, String(body.code ?? status), String(body.message ?? 'no message'));
