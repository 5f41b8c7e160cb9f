import type { Table } from '#shared/platform/table/table.ts';
import { type Asset, assets } from './asset.ts';
import { applicationsOf } from './asset-link.ts';
import { type CommonPlace, commonPlace } from './common-place.ts';

type Place = Parameters<typeof commonPlace>[0][number];

/** Where assets are, by their ids. An asset that is not there any more is nowhere. */
export type AssetPlaces = Map<string, Place>;

/** Adds the places of assets that were not read yet. */
export async function learnPlaces(table: Table, ids: readonly string[], known: AssetPlaces): Promise<void> {
  const unread = [...new Set(ids)].filter((id) => !known.has(id));
  if (unread.length === 0) return;
  const found = new Map((await table.findMany(assets, unread, true)).map((asset) => [asset.id, asset]));
  for (const id of unread) known.set(id, factsOf(found.get(id)));
}

type Placed = Pick<Asset, 'zone' | 'ownerId' | 'links' | 'ruleLinks' | 'retiredAt'>;

/** The values by which parts see the asset: a retired one is in no application. */
const factsOf = (asset: Placed | undefined): Place =>
  asset
    ? {
        asset: { zone: asset.zone },
        applicationIds: asset.retiredAt ? [] : applicationsOf(asset),
        assetOwnerId: asset.ownerId ?? undefined,
      }
    : {};

/** The values by which parts see one asset. */
export const placeOf = (asset: Placed): CommonPlace => commonPlace([factsOf(asset)]);

/** The values that all places have. */
export const commonIn = (places: readonly Place[]): CommonPlace | undefined => orAbsent(commonPlace(places));

export const orAbsent = (common: CommonPlace): CommonPlace | undefined =>
  Object.keys(common).length > 0 ? common : undefined;
