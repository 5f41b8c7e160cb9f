import { signal } from '@preact/signals';
import createClient from 'openapi-fetch';
import type { components, paths } from '../../dist/openapi.d.ts';
import { accessToken, forgetToken } from '../session.ts';
import { texts } from '../texts.ts';

type ApiError = components['schemas']['Error'];
type Answer<T> = { data?: T; error?: unknown; response: Response };

/** A refused request: the message of the service says what to do. */
export class Refused extends Error {
  readonly code: ApiError['code'] | undefined;
  readonly requestId: string | undefined;
  /** The fields that are wrong. */
  readonly details: NonNullable<ApiError['details']>;

  constructor({ code, message, requestId, details = [] }: Partial<ApiError>, fallback: string) {
    super(message ?? fallback);
    this.code = code;
    this.requestId = requestId;
    this.details = details;
  }
}

/** For requests of a person who has not signed in. */
export const anybody = createClient<paths>({ baseUrl: location.origin });

export const client = createClient<paths>({ baseUrl: location.origin });

/** Counts the writes of this page: the lists that it remembers are then older than what the person did. */
export const writes = signal(0);

client.use({
  async onRequest({ request }) {
    request.headers.set('authorization', `Bearer ${await accessToken()}`);
    return request;
  },
  async onResponse({ request, response }) {
    if (request.method !== 'GET') writes.value += 1;
    if (response.status !== 401) return;
    const body: unknown = await response
      .clone()
      .json()
      .catch(() => undefined);
    forgetToken(isError(body) && body.code === 'unauthorized');
  },
});

/** The answer of a request. @throws Refused with the message of the service, or one about the connection */
export async function answerOf<T>(request: Promise<Answer<T>>): Promise<T> {
  const { data, error, response } = await request.catch((): never => {
    throw new Refused({}, texts.errors.unreachable);
  });
  if (data !== undefined) return data;
  throw new Refused(isError(error) ? error : {}, texts.errors.status(response.status));
}

type Kept = { method: string; path: string; query: Record<string, unknown>; body: Record<string, unknown> };

/** Sends a request that the service keeps for a second person, as this person. @throws Refused */
export async function sendAgain({ method, path, query, body }: Kept): Promise<void> {
  const address = new URL(path, location.origin);
  for (const [name, value] of Object.entries(query)) address.searchParams.set(name, String(value));
  const hasBody = Object.keys(body).length > 0;
  const headers = {
    authorization: `Bearer ${await accessToken()}`,
    ...(hasBody && { 'content-type': 'application/json' }),
  };
  const sent = fetch(address, { method, headers, ...(hasBody && { body: JSON.stringify(body) }) });
  await answerOf(
    sent.then(async (response) => {
      const answer: unknown = await response.json();
      return response.ok ? { data: answer, response } : { error: answer, response };
    }),
  );
  writes.value += 1;
}

const isError = (body: unknown): body is ApiError =>
  typeof body === 'object' && body !== null && 'code' in body && 'message' in body;

/** The parameters of an address as they are: the service checks them, and its message names the wrong one. */
export const asTyped = (search: string) => ({ querySerializer: () => search });
