import { type Asset, tagsOf } from '#shared/assets/asset/asset.ts';
import { applicationsOf } from '#shared/assets/asset/asset-link.ts';
import type { StoredFinding } from '../finding/finding.ts';
import { isOpen } from '../finding/finding-status.ts';
import type { Stakes } from '../priority/finding-priority.ts';
import { type Danger, priorityOf } from '../priority/priority.ts';

type Rated = Danger & Pick<StoredFinding, 'status' | 'dueAt'>;

/**
 * The fields that follow from a finding's others, for each write of it. The finding is late after its due day (UTC).
 */
export function ratingOf(finding: Rated, at: string): Pick<StoredFinding, 'priority' | 'late'> {
  const { status, dueAt } = finding;
  const late = isOpen(status) && dueAt !== undefined && dueAt.slice(0, 10) < at.slice(0, 10) ? true : undefined;
  return { late, priority: priorityOf({ ...finding, late }) };
}

/** The fields that follow from a finding's asset: how much it is worth, its applications, tags and owner. */
export const fromAsset = (asset: Grounds | undefined): Pick<StoredFinding, (typeof FROM_ASSET)[number]> => ({
  stakes: stakesOf(asset),
  applicationIds: orAbsent(asset && applicationsOf(asset)),
  assetTags: orAbsent(asset && tagsOf(asset)),
  assetOwnerId: asset?.ownerId ?? undefined,
});

export const FROM_ASSET = ['stakes', 'applicationIds', 'assetTags', 'assetOwnerId'] as const;

const orAbsent = (values: string[] = []): string[] | undefined => (values.length > 0 ? values : undefined);

type Grounds = Pick<Asset, 'criticality' | 'internetExposed' | 'links' | 'ruleLinks' | 'tags' | 'ruleTags' | 'ownerId'>;

/** Undefined for an asset that nobody rated. */
export function stakesOf(asset: Pick<Asset, 'criticality' | 'internetExposed'> | undefined): Stakes | undefined {
  const { criticality = 'medium', internetExposed } = asset ?? {};
  if (criticality === 'medium' && !internetExposed) return undefined;
  return {
    ...(criticality !== 'medium' && { criticality }),
    ...(internetExposed && { exposed: true as const }),
  };
}
