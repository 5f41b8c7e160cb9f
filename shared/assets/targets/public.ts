import { parseBlock } from '#shared/platform/runtime/addresses.ts';
import { isPublicBlock } from '#shared/platform/runtime/public-addresses.ts';
import type { ScanTarget } from './scan-target.ts';
import { blockOf, hostOf } from './targets.ts';

/** Names for use within one network (RFC 6761, RFC 6762 appendix G, RFC 8375; ICANN 2024 for `internal`). */
const LOCAL_NAME = /(^|\.)(local|localhost|localdomain|internal|intranet|private|corp|home|lan|home\.arpa)$/;

/** Whether a name can belong to the public network. The resolver's network completes a name without a dot. */
const isPublicName = (name: string): boolean => name.includes('.') && !LOCAL_NAME.test(name);

/** Whether machines that serve many organizations may work on a target: it is only in the public network. */
export function isPublicTarget(target: ScanTarget): boolean {
  const named = hostOf(target);
  const block = blockOf(target) ?? (named === undefined ? undefined : parseBlock(named));
  if (block) return isPublicBlock(block);
  return named === undefined || isPublicName(named.replace(/\.$/, '').toLowerCase());
}

/** Why a target is refused for machines that serve many organizations. */
export const NOT_PUBLIC_PROBLEM =
  'must be of the public network: shared machines do not scan private, loopback, link-local or metadata addresses and names';
