import { blockText, parseBlock } from '#shared/platform/runtime/addresses.ts';
import { now } from '#shared/platform/runtime/clock.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { type Scanner, type SourceIp, scanners } from '../scanners/scanner.ts';
import { membersOf } from './groups.ts';

/** The time between the announcement of a change and its effect, in which clients allow the new address. */
const ANNOUNCED_SECONDS = 7 * 86_400;

/**
 * The addresses of a shared scanner after an operator named others. A new address takes effect after the announcement,
 * and a removed one stays until then; the first addresses take effect at once, because nobody relies on earlier ones.
 */
export function announce(known: readonly SourceIp[], wanted: readonly string[], at: string): SourceIp[] {
  const later = new Date(Date.parse(at) + ANNOUNCED_SECONDS * 1000).toISOString();
  const current = known.filter(({ validUntil }) => validUntil === null || validUntil > at);
  const kept = current.flatMap((one): SourceIp[] => {
    if (wanted.includes(one.cidr)) return [{ ...one, validUntil: null }];
    return one.validFrom > at ? [] : [{ ...one, validUntil: one.validUntil ?? later }];
  });
  const added = wanted.filter((cidr) => !kept.some((one) => one.cidr === cidr));
  const validFrom = current.length === 0 ? at : later;
  return [...kept, ...added.map((cidr) => ({ cidr, validFrom, validUntil: null }))];
}

type Addressed = Pick<Scanner, 'sourceIps' | 'remoteAddress' | 'firstSeenAt' | 'createdAt'>;

/** The addresses from which a scanner scans now or soon: from an operator, otherwise from its polls. */
function sourceIpsOf({ sourceIps = [], remoteAddress, firstSeenAt, createdAt }: Addressed): SourceIp[] {
  const named = sourceIps.filter(({ validUntil }) => validUntil === null || validUntil > now());
  if (named.length > 0) return named;
  const block = remoteAddress === null ? undefined : parseBlock(remoteAddress);
  if (!remoteAddress || !block) return [];
  return [{ cidr: `${blockText(block)}/${block.prefix}`, validFrom: firstSeenAt ?? createdAt, validUntil: null }];
}

/** The addresses of a pool's scanners, by scanner. */
export async function poolSourceIps(provider: Table, poolId: string): Promise<(SourceIp & { scannerId: string })[]> {
  const { scannerIds } = await membersOf(provider, poolId);
  const members = await provider.findMany(scanners, scannerIds);
  return members.flatMap((scanner) => sourceIpsOf(scanner).map((one) => ({ ...one, scannerId: scanner.id })));
}

/** Those that hold now, each once. */
export const holdingNow = (ips: readonly SourceIp[]): string[] => [
  ...new Set(ips.filter(({ validFrom }) => validFrom <= now()).map(({ cidr }) => cidr)),
];
