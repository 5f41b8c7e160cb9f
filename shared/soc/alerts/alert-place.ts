import { type AssetPlaces, commonIn } from '#shared/assets/asset/asset-places.ts';
import { type AlertEntity, assetsOf, type StoredAlert } from './alert.ts';

type Common = Pick<StoredAlert, 'common'>;

/** The values that all assets of an alert have. */
export const commonOf = (entities: readonly AlertEntity[], places: AssetPlaces): Common => ({
  common: commonIn(assetsOf(entities).map((id) => places.get(id) ?? {})),
});

/** The values that alerts share. */
export const commonOfAll = (all: readonly Common[]): Common => ({
  common: commonIn(all.map(({ common: { zone = null, ...rest } = {} }) => ({ asset: { zone }, ...rest }))),
});
