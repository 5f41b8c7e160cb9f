import type { LookupAddress } from 'node:dns';
import { resolveName } from '../runtime/network.ts';
import { isPublicHost } from '../runtime/public-addresses.ts';
import { HostError } from './host-error.ts';

/** The name of a host without the brackets of IPv6. */
export const nameOf = ({ hostname }: Pick<URL, 'hostname'>): string => hostname.replace(/^\[|\]$/g, '');

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
    throw new HostError('unreachable', `${nameOf(url)} is in a private network, which this deployment does not call.`);
  return addresses;
}

/** @throws HostError */
export async function addressesOf(url: URL, resolve = resolveName): Promise<LookupAddress[]> {
  const addresses = await resolve(nameOf(url));
  if (addresses.length === 0) throw new HostError('unreachable', `The name ${nameOf(url)} has no address.`);
  return addresses;
}
