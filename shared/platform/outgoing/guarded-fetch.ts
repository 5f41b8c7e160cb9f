import type { CustomFetch } from 'openid-client';
import type { Connections } from '../runtime/connections.ts';
import { reachOf, textOf } from './ask.ts';
import { call } from './call.ts';
import { failureCode } from './failure-code.ts';
import { HostError } from './host-error.ts';

const TIME_LIMIT_MS = 8000;

/** The fetch of a library, which reaches public addresses only and follows no redirection. */
export function guardedFetch(connections: Pick<Connections, 'network' | 'settings'>): {
  fetch: CustomFetch;
  allowsPrivate: boolean;
} {
  const { network } = reachOf(connections);
  const fetch: CustomFetch = async (address, { method, headers, body }) => {
    const signal = AbortSignal.timeout(TIME_LIMIT_MS);
    const sent = body === undefined || body === null ? undefined : String(body);
    const answer = await call(network, new URL(address), { method, headers, body: sent, signal }).catch(asHostError);
    return new Response((await textOf(answer)) || null, { status: answer.status, headers: answer.headers });
  };
  return { fetch, allowsPrivate: network.allowsPrivate };
}

function asHostError(error: unknown): never {
  throw error instanceof HostError
    ? error
    : new HostError('unreachable', `The provider does not answer (${failureCode(error)}).`);
}
