import { caseless } from '#shared/platform/runtime/texts.ts';
import type { Stakes } from '../priority/finding-priority.ts';

type Behind = {
  assetTags?: readonly string[] | undefined;
  assetOwnerId?: string | undefined;
  stakes?: Stakes | undefined;
};

/** The declared values of the asset behind a record. `assetHas` names the values that the asset has. */
export const behindMarks = ({ assetTags, assetOwnerId, stakes }: Behind) => ({
  assetTag: assetTags?.map(caseless),
  assetOwner: assetOwnerId,
  assetHas: [assetTags ? 'assetTag' : [], assetOwnerId ? 'assetOwner' : []].flat(),
  criticality: stakes?.criticality,
  exposed: stakes?.exposed && 'true',
});

export const BROAD_BEHIND = ['assetHas', 'criticality', 'exposed'] as const;
