import { type Asset, tagsOf } from '#shared/assets/asset/asset.ts';
import { applicationsOf } from '#shared/assets/asset/asset-link.ts';
import { DAY_MS } from '#shared/platform/runtime/clock.ts';
import type { StoredFinding } from '../finding/finding.ts';
import { isOpen } from '../finding/finding-status.ts';
import type { Stakes } from '../priority/finding-priority.ts';
import { type Danger, priorityOf } from '../priority/priority.ts';

type Rated = Danger & Pick<StoredFinding, 'status' | 'dueAt'>;

/** An open finding is due soon on its due day and so many days before. */
export const SOON_DAYS = 3;

/**
 * The fields that follow from a finding's others, for each write of it. The finding is late after its due day (UTC).
 */
export function ratingOf(finding: Rated, at: string): Pick<StoredFinding, 'priority' | 'late' | 'dueSoon'> {
  const { status, dueAt } = finding;
  const left = isOpen(status) && dueAt ? daysUntil(dueAt, at) : undefined;
  const late = left !== undefined && left < 0 ? true : undefined;
  const dueSoon = left !== undefined && left >= 0 && left <= SOON_DAYS ? true : undefined;
  return { late, dueSoon, priority: priorityOf({ ...finding, late }) };
}

const daysUntil = (due: string, at: string): number =>
  (Date.parse(due.slice(0, 10)) - Date.parse(at.slice(0, 10))) / DAY_MS;

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
