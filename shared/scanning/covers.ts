import type { ScanTarget } from '../entities/scan-target.ts';
import { contains } from './addresses.ts';
import { blockOf, nameOf } from './targets.ts';

type Place = Pick<ScanTarget, 'type' | 'value'>;
type Area = { targets: readonly ScanTarget[]; exclusions: readonly ScanTarget[] };

/** Whether a place lies in a target: is it, or an address of its range, a name of its domain, a page below its URL. */
export function covers(target: Place, place: Place): boolean {
  const [outer, inner] = [unzoned(target), unzoned(place)];
  if (target.type === 'url') return isPageOf(target.value, place) || nameOf(outer) === hostOf(place);
  const [range, address] = [blockOf(outer), blockOf(inner)];
  if (range && address) return contains(range, address);
  const [name, host] = [nameOf(outer), nameOf(inner)];
  if (name !== undefined && host !== undefined)
    return host === name || (target.type === 'domain' && host.endsWith(`.${name}`));
  return target.type === place.type && target.value === place.value;
}

const unzoned = ({ type, value }: Place): ScanTarget => ({ type, value, zone: null });
const hostOf = ({ type, value }: Place): string => (type === 'host' || type === 'domain' ? value : '');

/** The page, one below it, or the site as a whole, which tools name where they found something on a page of it. */
function isPageOf(url: string, place: Place): boolean {
  const [above, below] = [URL.parse(url), place.type === 'url' ? URL.parse(place.value) : null];
  if (!above || !below || above.origin !== below.origin) return false;
  const folder = above.pathname.endsWith('/') ? above.pathname : `${above.pathname}/`;
  return below.pathname === above.pathname || below.pathname === '/' || below.pathname.startsWith(folder);
}

/** The same, but a URL stands for its page and those below it alone: to exclude a page excludes nothing else of its site. */
export function coversExactly(target: Place, place: Place): boolean {
  if (target.type !== 'url') return covers(target, place);
  const [above, below] = [URL.parse(target.value), place.type === 'url' ? URL.parse(place.value) : null];
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

/** Whether a target lies in the zone of another; one without a zone holds in every zone. */
const sharesZone = (outer: ScanTarget, zone: string | null): boolean => outer.zone === null || outer.zone === zone;

/** Whether a target lies within what was agreed, and in none of the exclusions. */
export function isInScope({ targets, exclusions }: Area, target: ScanTarget): boolean {
  const near = (outer: ScanTarget) => sharesZone(outer, target.zone);
  const isTarget = targets.some((outer) => near(outer) && covers(outer, target));
  return isTarget && !exclusions.some((outer) => near(outer) && coversExactly(outer, target));
}
