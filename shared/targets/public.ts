import type { ScanTarget } from '../entities/scan-target.ts';
import { type Block, overlap, parseBlock } from './addresses.ts';
import { blockOf, hostOf } from './targets.ts';

/**
 * Addresses that mean another host in each network, or none: private, shared (RFC 6598), loopback, link-local and
 * multicast ones (RFC 6890), 6to4 (RFC 3056, 7526), Azure's metadata, and of IPv6 all but global unicast (RFC 4291)
 * without Teredo (RFC 4380). Other clouds' metadata, unique-local addresses and NAT64 lie within these.
 */
const NOT_PUBLIC = [
  ['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '168.63.129.16/32', '169.254.0.0/16', '172.16.0.0/12'],
  ['192.0.0.0/24', '192.88.99.0/24', '192.168.0.0/16', '198.18.0.0/15', '224.0.0.0/3'],
  ['::/3', '4000::/2', '8000::/1', '2001::/32', '2002::/16'],
].flatMap((texts) => texts.flatMap((text) => parseBlock(text) ?? []));

/** Names for use within one network (RFC 6761, RFC 6762 appendix G, RFC 8375; ICANN 2024 for `internal`). */
const LOCAL_NAME = /(^|\.)(local|localhost|localdomain|internal|intranet|private|corp|home|lan|home\.arpa)$/;

/** Whether all addresses of a block are of the public network. */
export const isPublicBlock = (block: Block): boolean => !NOT_PUBLIC.some((one) => overlap(one, block));

/** Whether a name can be of the public network. A name without a dot is completed by the network of the resolver. */
const isPublicName = (name: string): boolean => name.includes('.') && !LOCAL_NAME.test(name);

/** Whether machines that serve many organizations may work on a target: it lies in no network but the public one. */
export function isPublicTarget(target: ScanTarget): boolean {
  const named = hostOf(target);
  const block = blockOf(target) ?? (named === undefined ? undefined : parseBlock(named));
  if (block) return isPublicBlock(block);
  return named === undefined || isPublicName(named.replace(/\.$/, '').toLowerCase());
}

/** Why a target is refused for machines that serve many organizations. */
export const NOT_PUBLIC_PROBLEM =
  'must be of the public network: shared machines do not scan private, loopback, link-local or metadata addresses and names';
