import { connect } from 'node:net';
import type { Reach } from '#shared/platform/outgoing/ask.ts';
import { elapsedMs } from '#shared/platform/runtime/clock.ts';
import { type Network, openNetwork } from '#shared/platform/runtime/network.ts';

/** Of this machine, as `npm start` sets it. */
export const reachOfTests = (): Reach => reachIn(openNetwork({ CODE_HOSTS_PRIVATE: '1' }));

/** A minute in a network. */
export const reachIn = (network: Network): Reach => ({ network, untilMs: elapsedMs() + 60_000 });

type Peer = Parameters<Network['connect']>[0];

/** An address of a code host in the public network. */
export const PUBLIC_ADDRESS = '140.82.121.3';

/**
 * The network of the stack's settings without a network: names ending in `.example` are public, and a connection to a public address ends at
 * that port of this machine, without TLS.
 */
export function publicNetwork(resolved: Record<string, readonly string[]> = {}): Network & { connected: Peer[] } {
  const production = openNetwork({});
  const connected: Peer[] = [];
  return {
    ...production,
    connected,
    async resolve(name) {
      const known = resolved[name] ?? (name.endsWith('.example') ? [PUBLIC_ADDRESS] : undefined);
      if (!known) return production.resolve(name);
      return known.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
    },
    async connect(peer) {
      connected.push(peer);
      return connect(peer.port, '127.0.0.1');
    },
  };
}
