import type { ScanTarget } from '#shared/entities/scan-target.ts';
import { covers } from '#shared/scanning/covers.ts';
import { checkTarget } from '#shared/scanning/targets.ts';

/** What an engagement may look at, and what it must not. */
export type Scope = { targets: readonly ScanTarget[]; exclusions: readonly ScanTarget[] };

/**
 * Whether the scope has this place: within a target of its own zone, and in no exclusion (one without a zone holds in
 * every zone). Names are not resolved. Stricter than what a scanner may find on the way: what is answered here is read
 * by an appliance as permission.
 */
export function isInScope({ targets, exclusions }: Scope, place: ScanTarget): boolean {
  const here = plain(place);
  const isTarget = targets.some((target) => target.zone === place.zone && reaches(plain(target), here));
  return isTarget && !isExcluded({ exclusions }, here);
}

export function isExcluded({ exclusions }: Pick<Scope, 'exclusions'>, place: ScanTarget): boolean {
  const here = plain(place);
  return exclusions.some(({ zone, ...rest }) => {
    return (zone === null || zone === place.zone) && reaches(plain({ zone, ...rest }), here);
  });
}

/** A URL stands for its page and those below it, never for its whole host; all else as the planning of tasks has it. */
function reaches(outer: ScanTarget, place: ScanTarget): boolean {
  if (outer.type === 'url') return place.type === 'url' && isBelow(outer.value, place.value);
  return covers(outer, place);
}

function isBelow(outer: string, inner: string): boolean {
  const [above, below] = [URL.parse(outer), URL.parse(inner)];
  if (!above || !below || above.origin !== below.origin) return false;
  const [folder, path] = [pathOf(above).replace(/\/$/, ''), pathOf(below)];
  return path === folder || path.startsWith(`${folder}/`);
}

/** `/%61dmin` is `/admin`. */
function pathOf({ pathname }: URL): string {
  try {
    return decodeURIComponent(pathname);
  } catch {
    return pathname;
  }
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
