import type { LookupAddress } from 'node:dns';
import type { Duplex } from 'node:stream';
import type { Settings } from './env.ts';

type Peer = { name: string; port: number; isTls: boolean; addresses: readonly LookupAddress[] };

/** The network for the service's own calls to hosts that organizations name. Tests replace it. */
export type Network = {
  /** Whether such hosts may be in private networks, and without TLS. */
  allowsPrivate: boolean;
  /** All addresses of a name; none where it has none. */
  resolve(name: string): Promise<LookupAddress[]>;
  /** A connection to the first address that answers. With TLS its certificate must be for the name. */
  connect(peer: Peer): Promise<Duplex>;
};

export const openNetwork = ({ CODE_HOSTS_PRIVATE }: Pick<Settings, 'CODE_HOSTS_PRIVATE'>): Network => ({
  allowsPrivate: CODE_HOSTS_PRIVATE === '1',
  resolve: resolveName,
  connect,
});

export async function resolveName(name: string): Promise<LookupAddress[]> {
  const { lookup } = await import('node:dns/promises');
  return lookup(name, { all: true }).catch(() => []);
}

/** The name is not resolved again: the connection goes to the addresses that the caller has checked. */
async function connect({ name, port, isTls, addresses }: Peer): Promise<Duplex> {
  const [net, tls] = await Promise.all([import('node:net'), import('node:tls')]);
  const lookup: import('node:net').LookupFunction = (_name, _options, answer) => answer(null, [...addresses]);
  const to = { host: name, port, lookup, autoSelectFamily: true };
  if (!isTls) return net.connect(to);
  return tls.connect({ ...to, ...(net.isIP(name) === 0 && { servername: name }), ALPNProtocols: ['http/1.1'] });
}
