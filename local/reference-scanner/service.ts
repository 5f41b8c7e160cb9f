import { setTimeout as sleep } from 'node:timers/promises';
import { Fields } from '#local/reference-scanner/answers.ts';

export type Credential = { clientId: string; clientSecret: string };

/** An answer that repeating will not change: the request itself is wrong. */
export class Refused extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(`${code}: ${message}`);
    this.status = status;
    this.code = code;
  }
}

export type Service = { post(path: string, body: unknown, signal?: AbortSignal): Promise<Record<string, unknown>> };

const longestPauseMs = 60_000;

/**
 * The service as a machine sees it: gets an access token when it needs one, and goes on trying while the service is
 * down, overloaded (429, 503) or broken (500). 400 and 401 are final, apart from a token that ran out.
 */
export function openService(url: string, credential?: () => Credential): Service {
  let token: string | undefined;
  const authorization = async (signal?: AbortSignal): Promise<Record<string, string>> => {
    if (!credential) return {};
    const { clientId, clientSecret } = credential();
    const form = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret };
    token ??= String((await request('/api/v1/oauth/token', form, {}, signal)).access_token);
    return { authorization: `Bearer ${token}` };
  };
  const request = async (path: string, body: unknown, headers: Record<string, string>, signal?: AbortSignal) => {
    for (let attempt = 0; ; attempt++) {
      const answer = await send(`${url}${path}`, { body, headers, signal });
      if (answer?.ok) return answer.body;
      if (answer && answer.status < 500 && answer.status !== 429) throw refused(answer);
      await sleep(Math.random() * Math.min(longestPauseMs, 500 * 2 ** attempt), undefined, { signal });
    }
  };
  return {
    async post(path, body, signal) {
      try {
        return await request(path, body, await authorization(signal), signal);
      } catch (error) {
        if (!(error instanceof Refused) || error.status !== 401 || token === undefined) throw error;
        token = undefined; // it ran out, or the signing key was changed
        return request(path, body, await authorization(signal), signal);
      }
    },
  };
}

type Sent = { ok: boolean; status: number; body: Record<string, unknown> };

async function send(
  url: string,
  { body, headers, signal }: { body: unknown; headers: Record<string, string>; signal?: AbortSignal },
): Promise<Sent | undefined> {
  try {
    const limit = AbortSignal.timeout(60_000);
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
      signal: signal ? AbortSignal.any([signal, limit]) : limit,
    });
    return { ok: response.ok, status: response.status, body: Fields.parse(await response.json()) };
  } catch (error) {
    signal?.throwIfAborted();
    console.error(`the service cannot be reached (${error instanceof Error ? error.message : error}); trying again`);
    return undefined;
  }
}

const refused = ({ status, body }: Sent): Refused =>
  new Refused(status, String(body.code ?? status), String(body.message ?? 'no message'));
