import { ordinalOf } from '#shared/platform/runtime/ids.ts';
import { ordinalText } from '#shared/platform/table/layout/keys.ts';
import type { Asset } from '../asset/asset.ts';
import { TRAIT_KINDS, traitsOf } from '../asset/asset-traits.ts';

type Described = Parameters<typeof traitsOf>[0] & Pick<Asset, 'id' | 'createdAt'>;

/**
 * Sorts two assets that become one: first the asset that stays. The asset with the more trusted identifier stays, of
 * equals the older one, of assets from one report the one that the report named first. It takes over the other's
 * identifiers, so of several assets the same one stays in any order of merges.
 */
export function survivorFirst<T extends Described>(one: T, other: T): [T, T] {
  const [a, b] = [placeOf(one), placeOf(other)];
  return a < b ? [one, other] : [other, one];
}

const placeOf = (asset: Described): string => {
  const traits = traitsOf(asset);
  const strongest = TRAIT_KINDS.findIndex((kind) => traits[kind].length > 0);
  return `${strongest < 0 ? TRAIT_KINDS.length : strongest} ${asset.createdAt} ${ordinalText(ordinalOf(asset.id))} ${asset.id}`;
};
