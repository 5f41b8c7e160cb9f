import { lookup } from 'node:dns/promises';
import { BlockList, isIP } from 'node:net';
import { HostError } from './host-error.ts';

/** Networks that the internet does not reach: https://www.iana.org/assignments/iana-ipv4-special-registry and its sister of IPv6. */
const PRIVATE = [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.0.0.0/24'],
  ...['192.0.2.0/24', '192.168.0.0/16', '198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24', '224.0.0.0/3'],
  ...[
    '::/96',
    '::ffff:0:0/96',
    '64:ff9b::/96',
    '64:ff9b:1::/48',
    '100::/64',
    '2001:db8::/32',
    '2002::/16',
    'fc00::/7',
    'fe80::/10',
    'ff00::/8',
  ],
];

let listed: BlockList | undefined;

function privateNetworks(): BlockList {
  if (listed) return listed;
  listed = new BlockList();
  for (const network of PRIVATE) {
    const [address = '', bits] = network.split('/');
    listed.addSubnet(address, Number(bits), isIP(address) === 6 ? 'ipv6' : 'ipv4');
  }
  return listed;
}

/**
 * Keeps what an organization enters as the address of its host from being used to reach the service's own network (OWASP, "Server-Side Request
 * Forgery"). Only HTTPS is asked: a name that changes its address after this check has no certificate there.
 * @throws HostError
 */
export async function assertPublic({ protocol, hostname }: URL): Promise<void> {
  if (protocol !== 'https:') throw new HostError('unreachable', 'Its address must begin with https://.');
  const name = hostname.replace(/^\[|\]$/g, '');
  const addresses = await lookup(name, { all: true }).catch(() => []);
  if (addresses.length === 0) throw new HostError('unreachable', `The name ${name} has no address.`);
  for (const { address, family } of addresses)
    if (privateNetworks().check(address, family === 6 ? 'ipv6' : 'ipv4'))
      throw new HostError('unreachable', `${name} is in a private network, which this deployment does not call.`);
}
