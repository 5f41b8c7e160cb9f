import { type Block, overlap, parseBlock } from './addresses.ts';

const blocksOf = (texts: readonly string[]): Block[] => texts.flatMap((text) => parseBlock(text) ?? []);

/**
 * Addresses that mean another host in each network, or none: private, shared (RFC 6598), loopback, link-local and
 * multicast addresses (RFC 6890), 6to4 (RFC 3056, 7526), Azure's metadata, and in IPv6 everything except global unicast
 * (RFC 4291) without Teredo (RFC 4380) and the protocols of 2001::/23 (RFC 2928). These blocks include other clouds'
 * metadata, unique-local, site-local and segment routing addresses (RFC 9602) and the translated addresses of RFC 2765.
 * https://www.iana.org/assignments/iana-ipv4-special-registry and its IPv6 counterpart
 */
const NOT_PUBLIC = blocksOf([
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '168.63.129.16/32', '169.254.0.0/16', '172.16.0.0/12'],
  ...['192.0.0.0/24', '192.88.99.0/24', '192.168.0.0/16', '198.18.0.0/15', '224.0.0.0/3'],
  ...['::/3', '4000::/2', '8000::/1', '2001::/23', '2002::/16'],
]);

/**
 * Networks of examples (RFC 5737, 3849, 9637): no host has such an address, and documents and tests use them as public
 * ones.
 */
const EXAMPLES = blocksOf(['192.0.2.0/24', '198.51.100.0/24', '203.0.113.0/24', '2001:db8::/32', '3fff::/20']);

/** IPv6 networks reach IPv4 hosts behind this prefix (RFC 6052): the last 32 bits are the host's address. */
const [TRANSLATED] = blocksOf(['64:ff9b::/96']);

/** `parseBlock` unwraps IPv4-mapped addresses. */
const unwrapped = (block: Block): Block =>
  TRANSLATED && block.prefix >= 96 && overlap(TRANSLATED, block)
    ? { version: 4, first: block.first & 0xffffffffn, prefix: block.prefix - 96 }
    : block;

/** Whether all addresses of a block belong to the public network. */
export const isPublicBlock = (block: Block): boolean => !NOT_PUBLIC.some((one) => overlap(one, unwrapped(block)));

/** Whether an address from a resolver belongs to a host in the public network. */
export function isPublicHost(address: string): boolean {
  const block = parseBlock(address);
  return block !== undefined && isPublicBlock(block) && !EXAMPLES.some((one) => overlap(one, unwrapped(block)));
}
