import type { Leaf } from '#shared/platform/filter/filter.ts';
import { parseBlock } from '#shared/platform/runtime/addresses.ts';
import type { Marked } from '#shared/platform/table/combined.ts';
import { MORE, NAME_PART, namePart, networkOf } from './asset-names.ts';

/** Assets with one of these values, or with so many values that the index lacks some. */
const among = (name: string, values: readonly string[]): Marked => ({ name, values: [...values, MORE] });

export const withKey = ({ key = '' }: Leaf): Marked => among('cloudTag', [key]);

/** Assets with a name that begins with the literal beginning of a text, if it is as long as the beginnings in the index. */
export function withName({ operator, value }: Leaf): Marked | undefined {
  if (operator === 'exists') return undefined;
  const beginnings = [value ?? []].flat().map((text) => {
    const [literal = '', ...others] = operator === 'matches' ? text.toLowerCase().split('*') : [text.toLowerCase()];
    return others.length === 0 || [...literal].length >= NAME_PART ? namePart(literal) : undefined;
  });
  const known = beginnings.filter((text) => text !== undefined);
  return known.length < beginnings.length ? undefined : among('host', known);
}

const NETWORK_BITS = 16;
/** A v4 address may be written as a v6 address. */
const V6 = 'v6';

export function withAddress({ operator, value }: Leaf): Marked | undefined {
  if (operator === 'exists' || operator === 'matches') return undefined;
  const networks = [value ?? []].flat().map((text) => {
    const block = parseBlock(text);
    if (block?.version !== 4) return V6;
    return block.prefix < NETWORK_BITS ? undefined : networkOf(dotted(block.first));
  });
  const known = networks.filter((network) => network !== undefined);
  return known.length < networks.length ? undefined : among('network', [...new Set([...known, V6])]);
}

const dotted = (first: bigint): string => [24n, 16n, 8n, 0n].map((shift) => String((first >> shift) & 255n)).join('.');
