import type { ScanTarget } from '#shared/entities/scan-target.ts';
import { coversExactly } from '#shared/scanning/covers.ts';
import { checkTarget } from '#shared/scanning/targets.ts';

/** What an engagement may look at, and what it must not. */
export type Scope = { targets: readonly ScanTarget[]; exclusions: readonly ScanTarget[] };

/**
 * Whether the scope has this place: within a target of its own zone, and in no exclusion (one without a zone holds in
 * every zone). Names are not resolved. Stricter than what a scan may report: an appliance reads it as permission, so a
 * target without a zone is not one of every zone, and a URL is not its whole site.
 */
export function isInScope({ targets, exclusions }: Scope, place: ScanTarget): boolean {
  const here = plain(place);
  const isTarget = targets.some((target) => target.zone === place.zone && coversExactly(plain(target), here));
  return isTarget && !isExcluded({ exclusions }, here);
}

export function isExcluded({ exclusions }: Pick<Scope, 'exclusions'>, place: ScanTarget): boolean {
  const here = plain(place);
  return exclusions.some(({ zone, ...rest }) => {
    return (zone === null || zone === place.zone) && coversExactly(plain({ zone, ...rest }), here);
  });
}

/** Spellings of the same place become one: names in lower case, addresses in their canonical form, repositories plain. */
function plain(place: ScanTarget): ScanTarget {
  if (place.type === 'repository') return { ...place, value: repositoryName(place.value) };
  const checked = checkTarget(place);
  return 'value' in checked ? { ...place, value: checked.value } : place;
}

/** `https://GitHub.com/acme/shop.git`, `git@github.com:acme/shop` and `github.com/acme/shop` are one repository. */
const repositoryName = (value: string): string =>
  value
    .replace(/^[a-z+]+:\/\//i, '')
    .replace(/^[\w.-]+@/, '')
    .replace(/^([^/:]+):(?!\d)/, '$1/')
    .replace(/\/+$/, '')
    .replace(/\.git$/, '')
    .toLowerCase();
