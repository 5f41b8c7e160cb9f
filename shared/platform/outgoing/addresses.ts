import type { LookupAddress } from 'node:dns';
import { hostnameOf } from '../runtime/addresses.ts';
import { resolveName } from '../runtime/network.ts';
import { isPublicHost } from '../runtime/public-addresses.ts';
import { HostError } from './host-error.ts';

/**
 * Refuses an organization's host address that would reach the service's own network (OWASP, "Server-Side Request
 * Forgery"). Only HTTPS is allowed.
 * @returns the addresses of the host, all of them public: the connection goes to these
 * @throws HostError
 */
export async function assertPublic(url: URL, resolve = resolveName): Promise<LookupAddress[]> {
  if (url.protocol !== 'https:') throw new HostError('unreachable', 'Its address must begin with https://.');
  const addresses = await addressesOf(url, resolve);
  if (addresses.some(({ address }) => !isPublicHost(address)))
    throw new HostError(
      'unreachable',
      `${hostnameOf(url)} is in a private network, which this deployment does not call.`,
    );
  return addresses;
}

/** @throws HostError */
export async function addressesOf(url: URL, resolve = resolveName): Promise<LookupAddress[]> {
  const addresses = await resolve(hostnameOf(url));
  if (addresses.length === 0) throw new HostError('unreachable', `The name ${hostnameOf(url)} has no address.`);
  return addresses;
}
