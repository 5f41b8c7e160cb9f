import type { CustomFetch } from 'openid-client';
import { reachOf, textOf } from '#shared/platform/outgoing/ask.ts';
import { call } from '#shared/platform/outgoing/call.ts';
import { failureCode } from '#shared/platform/outgoing/failure-code.ts';
import { HostError } from '#shared/platform/outgoing/host-error.ts';
import type { Connections } from '#shared/platform/runtime/connections.ts';

const TIME_LIMIT_MS = 8000;

/** The fetch of a library, which reaches public addresses only and follows no redirection. */
export function guardedFetch(connections: Connections): { fetch: CustomFetch; allowsPrivate: boolean } {
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
