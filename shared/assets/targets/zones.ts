import { type Block, blockText, contains, hostnameOf, parseBlock } from '#shared/platform/runtime/addresses.ts';
import { invalid } from '#shared/platform/runtime/errors.ts';
import type { Zone } from '../zones/zone.ts';

/**
 * Returns the zone of an address or of the address in a URL; undefined for a name, and for an address outside of all
 * zones.
 */
export type Placing = (place: string) => string | undefined;

export function placingOf(zones: readonly Pick<Zone, 'name' | 'cidrs'>[]): Placing {
  const all = zones.flatMap(({ name, cidrs }) => cidrs.flatMap((cidr) => blockNamed(cidr, name)));
  const longestFirst = all.toSorted((a, b) => b.block.prefix - a.block.prefix);
  return (place) => {
    const address = parseBlock(hostIn(place));
    return address && longestFirst.find(({ block }) => contains(block, address))?.name;
  };
}

function blockNamed(cidr: string, name: string): { block: Block; name: string }[] {
  const block = parseBlock(cidr);
  return block ? [{ block, name }] : [];
}

function hostIn(place: string): string {
  const url = /^https?:/i.test(place) && URL.parse(place);
  return url ? hostnameOf(url) : place;
}

/** The blocks in one spelling, each once. @throws validation_failed */
export function canonicalBlocks(cidrs: readonly string[]): string[] {
  const texts = cidrs.map((cidr, n) => {
    const block = parseBlock(cidr);
    if (!block) throw invalid(`cidrs.${n}`, 'must be an address or a block such as 10.1.0.0/16');
    return blockText(block);
  });
  return [...new Set(texts)];
}
