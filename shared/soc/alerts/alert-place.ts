import { type Asset, assets } from '#shared/assets/asset/asset.ts';
import { applicationsOf } from '#shared/assets/asset/asset-link.ts';
import { type CommonPlace, commonPlace } from '#shared/findings/finding/common-place.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { type AlertEntity, assetsOf, type StoredAlert } from './alert.ts';

type Place = Parameters<typeof commonPlace>[0][number];

/** Where assets are, by their ids. An asset that is not there any more is nowhere. */
export type AssetPlaces = Map<string, Place>;

/** Adds the places of assets that were not read yet. */
export async function learnPlaces(table: Table, ids: readonly string[], known: AssetPlaces): Promise<void> {
  const unread = [...new Set(ids)].filter((id) => !known.has(id));
  if (unread.length === 0) return;
  const found = new Map((await table.findMany(assets, unread, true)).map((asset) => [asset.id, asset]));
  for (const id of unread) known.set(id, placeOf(found.get(id)));
}

type Placed = Pick<Asset, 'zone' | 'ownerId' | 'links' | 'ruleLinks' | 'retiredAt'>;

/** The values by which parts see the asset: a retired one is in no application. */
const placeOf = (asset: Placed | undefined): Place =>
  asset
    ? {
        asset: { zone: asset.zone },
        applicationIds: asset.retiredAt ? [] : applicationsOf(asset),
        assetOwnerId: asset.ownerId ?? undefined,
      }
    : {};

type Common = Pick<StoredAlert, 'common'>;

/** The values that all assets of an alert have. */
export const commonOf = (entities: readonly AlertEntity[], places: AssetPlaces): Common => {
  const all = assetsOf(entities).map((id) => places.get(id) ?? {});
  return { common: orAbsent(commonPlace(all)) };
};

/** The values that alerts share. */
export const commonOfAll = (all: readonly Common[]): Common => ({
  common: orAbsent(commonPlace(all.map(({ common: { zone = null, ...rest } = {} }) => ({ asset: { zone }, ...rest })))),
});

export const orAbsent = (common: CommonPlace): CommonPlace | undefined =>
  Object.keys(common).length > 0 ? common : undefined;
