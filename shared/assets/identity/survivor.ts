import { ordinalOf } from '#shared/platform/runtime/ids.ts';
import { ordinalText } from '#shared/platform/table/layout/keys.ts';
import type { Asset } from '../asset/asset.ts';
import { TRAIT_KINDS, traitsOf } from '../asset/asset-traits.ts';

type Described = Parameters<typeof traitsOf>[0] & Pick<Asset, 'id' | 'createdAt'>;

/**
 * The asset that stays when two become one, first: the one with the more trusted identifier, of equals the older, of those that one
 * report made the one that it named first. The other one's
 * identifiers become its own, so of several assets the same one stays in whatever order they are merged.
 */
export function survivorFirst<T extends Described>(one: T, other: T): [T, T] {
  const [a, b] = [placeOf(one), placeOf(other)];
  return a < b ? [one, other] : [other, one];
}

const placeOf = (asset: Described): string => {
  const traits = traitsOf(asset);
  const strongest = TRAIT_KINDS.findIndex((kind) => traits[kind].length > 0);
  return `${strongest < 0 ? TRAIT_KINDS.length : strongest} ${asset.createdAt} ${ordinalText(ordinalOf(asset.id))}`;
};
