import { parseBlock } from '#shared/platform/runtime/addresses.ts';
import { combinedBits, type Marked } from '#shared/platform/table/combined.ts';
import type { Bits } from '#shared/platform/table/layout/bits.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { assets } from '../asset/asset.ts';
import { MORE, NAME_PART, namePart, networkOf } from '../asset/asset-names.ts';
import type { Condition, Leaf } from './condition.ts';

/** Index values that each asset with a true condition has; `exact`: and no other asset has them. */
type IndexCondition = { marked: Marked; exact: boolean };

const EVERYTHING: IndexCondition = { marked: 'everything', exact: false };

const RETIRED: Marked = { name: 'retired', values: ['true'] };

/**
 * The index values for a condition. No matching asset lacks them.
 * @param tagged whether the condition sees the tags that the index has, including the tags of rules
 */
export function indexConditionOf(condition: Condition, tagged = true): IndexCondition {
  const { all, any, not } = condition;
  if (all || any) {
    const parts = (all ?? any ?? []).map((part) => indexConditionOf(part, tagged));
    const marks = parts.map(({ marked }) => marked);
    return { marked: all ? { all: marks } : { any: marks }, exact: parts.every(({ exact }) => exact) };
  }
  if (!not) return conditionOfLeaf(condition as Leaf, tagged);
  const inner = indexConditionOf(not, tagged);
  return inner.exact ? { marked: { not: inner.marked }, exact: true } : EVERYTHING;
}

function conditionOfLeaf(leaf: Leaf, tagged: boolean): IndexCondition {
  const { field, key = '', operator } = leaf;
  const texts = operator === 'equals' || operator === 'in' ? [leaf.value ?? []].flat() : undefined;
  const exactly = (name: string): IndexCondition =>
    texts ? { marked: { name, values: texts }, exact: true } : EVERYTHING;
  if (field === 'type') return exactly('type');
  if (field === 'tag') return { ...exactly('tag'), ...(!tagged && { exact: false }) };
  if (field === 'cloudAccount') return exactly('account');
  if (field === 'zone')
    return operator === 'exists' ? { marked: { not: { name: 'zone', values: [null] } }, exact: true } : exactly('zone');
  if (field === 'cloudTag') return among('cloudTag', [key]);
  if (field === 'repository' || field === 'branch')
    return { marked: { name: 'type', values: ['repository'] }, exact: field === 'repository' && operator === 'exists' };
  if (field === 'hostname') return byName(leaf);
  return field === 'ip' ? byAddress(leaf) : EVERYTHING;
}

/** Assets with one of these values, or with so many values that the index lacks some. */
const among = (name: string, values: readonly string[]): IndexCondition => ({
  marked: { name, values: [...values, MORE] },
  exact: false,
});

/** The literal beginning of each text, if it is as long as the beginnings in the index. */
function byName({ operator, value }: Leaf): IndexCondition {
  if (operator === 'exists') return EVERYTHING;
  const beginnings = [value ?? []].flat().map((text) => {
    const [literal = '', ...others] = operator === 'matches' ? text.toLowerCase().split('*') : [text.toLowerCase()];
    return others.length === 0 || [...literal].length >= NAME_PART ? namePart(literal) : undefined;
  });
  return beginnings.includes(undefined)
    ? EVERYTHING
    : among(
        'host',
        beginnings.filter((text) => text !== undefined),
      );
}

const NETWORK_BITS = 16;
/** A v4 address may be written as a v6 address. */
const V6 = 'v6';

function byAddress({ operator, value }: Leaf): IndexCondition {
  if (operator === 'exists' || operator === 'matches') return EVERYTHING;
  const networks = [value ?? []].flat().map((text) => {
    const block = parseBlock(text);
    if (!block) return V6;
    if (block.version === 6) return V6;
    return block.prefix < NETWORK_BITS ? undefined : networkOf(dotted(block.first));
  });
  const known = networks.filter((network) => network !== undefined);
  return known.length < networks.length ? EVERYTHING : among('network', [...new Set([...known, V6])]);
}

const dotted = (first: bigint): string => [24n, 16n, 8n, 0n].map((shift) => String((first >> shift) & 255n)).join('.');

/** The assets with a combination of values, by their current marks. */
export const assetBits = ({ dynamo, tenant }: Pick<Table, 'dynamo' | 'tenant'>, marked: Marked): Promise<Bits> =>
  combinedBits({ dynamo, tenant, entity: assets, consistent: true }, marked);

/** The assets of these that are not retired. */
export const present = (marked: Marked): Marked => ({ all: [marked, { not: RETIRED }] });

export const presentBits = (table: Pick<Table, 'dynamo' | 'tenant'>, marked: Marked): Promise<Bits> =>
  assetBits(table, present(marked));
