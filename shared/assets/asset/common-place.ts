import * as z from 'zod';
import { caseless } from '#shared/platform/runtime/texts.ts';

type Place = {
  asset?: { zone: string | null } | undefined;
  applicationIds?: readonly string[] | undefined;
  assetOwnerId?: string | undefined;
};

/** Values that the assets of all places of a record have in common. */
export const CommonPlace = z
  .object({ zone: z.string(), applicationIds: z.array(z.string()), assetOwnerId: z.string() })
  .partial();
export type CommonPlace = z.infer<typeof CommonPlace>;

/** A record of several assets is in a part if one value of the part has all of its places, so that nobody sees some of them. */
export const IN_PART_OF_ALL = { zones: 'zone', applicationIds: 'application', teamIds: 'assetOwner' } as const;

export function commonPlace(places: readonly Place[]): CommonPlace {
  const [first, ...others] = places;
  if (!first) return {};
  const has = (isOf: (place: Place) => boolean) => others.every(isOf);
  const zone = zoneOf(first);
  const { assetOwnerId } = first;
  const applicationIds = (first.applicationIds ?? []).filter((id) =>
    has((one) => one.applicationIds?.includes(id) ?? false),
  );
  return {
    ...(zone !== undefined && has((one) => zoneOf(one) === zone) && { zone }),
    ...(applicationIds.length > 0 && { applicationIds }),
    ...(assetOwnerId && has((one) => one.assetOwnerId === assetOwnerId) && { assetOwnerId }),
  };
}

const zoneOf = ({ asset }: Place): string | undefined => (asset?.zone == null ? undefined : caseless(asset.zone));

/** The marks of `IN_PART_OF_ALL`. */
export const commonMarks = ({ zone, applicationIds, assetOwnerId }: CommonPlace = {}) => ({
  zone,
  application: applicationIds,
  assetOwner: assetOwnerId,
});
