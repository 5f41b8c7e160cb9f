import type { ScanTarget } from '../entities/scan-target.ts';
import { contains } from './addresses.ts';
import { blockOf, isUnder, nameOf, pageOf, repositoryOf } from './targets.ts';

type TargetValue = Pick<ScanTarget, 'type' | 'value'>;
type Area = { targets: readonly ScanTarget[]; exclusions: readonly ScanTarget[] };

/** Whether a place lies in a target: is it, or an address of its range, a name of its domain, a page below its URL. */
export function covers(target: TargetValue, place: TargetValue): boolean {
  const [outer, inner] = [unzoned(target), unzoned(place)];
  if (target.type === 'url') return isPageOf(target.value, place) || nameOf(outer) === hostOf(place);
  const [range, address] = [blockOf(outer), blockOf(inner)];
  if (range && address) return contains(range, address);
  const [name, host] = [nameOf(outer), nameOf(inner)];
  if (name !== undefined && host !== undefined)
    return host === name || (target.type === 'domain' && host.endsWith(`.${name}`));
  if (target.type !== place.type) return false;
  return target.type === 'repository'
    ? repositoryOf(target.value) === repositoryOf(place.value)
    : target.value === place.value;
}

const unzoned = ({ type, value }: TargetValue): ScanTarget => ({ type, value, zone: null });
const hostOf = ({ type, value }: TargetValue): string => (type === 'host' || type === 'domain' ? value : '');

/** The page, one below it, or the site as a whole, which tools name where they found something on a page of it. */
function isPageOf(url: string, place: TargetValue): boolean {
  const [above, below] = [URL.parse(url), place.type === 'url' ? URL.parse(place.value) : null];
  if (!above || !below || above.origin !== below.origin) return false;
  const folder = above.pathname.endsWith('/') ? above.pathname : `${above.pathname}/`;
  return below.pathname === above.pathname || below.pathname === '/' || below.pathname.startsWith(folder);
}

/** The same, but a URL stands for its page and those below it alone: to exclude a page excludes nothing else of its site. */
export function coversExactly(target: TargetValue, place: TargetValue): boolean {
  if (target.type !== 'url') return covers(target, place);
  const [above, below] = [pageOf(target), pageOf(place)];
  return above !== undefined && below !== undefined && isUnder(above, below);
}

/**
 * What may be touched: a place within a target and in no exclusion. A target holds in its own zone alone, one without a
 * zone where there is none, for the same private address is another host elsewhere; an exclusion without a zone holds
 * in every zone. Names are not resolved, and a URL is not its whole site.
 */
export const isInScope = (area: Area, place: ScanTarget): boolean => isWithin(area, place, coversExactly);

/** What may be reported: the same, but of an agreed page also the site, which tools name where they mean the page. */
export const isReportable = (area: Area, place: ScanTarget): boolean => isWithin(area, place, covers);

function isWithin({ targets, exclusions }: Area, place: ScanTarget, isCovered: typeof covers): boolean {
  const isTarget = targets.some((outer) => outer.zone === place.zone && isCovered(outer, place));
  const holds = ({ zone }: ScanTarget) => zone === null || zone === place.zone;
  return isTarget && !exclusions.some((outer) => holds(outer) && coversExactly(outer, place));
}
