import { contains } from '#shared/platform/runtime/addresses.ts';
import { repositoryName } from './repository.ts';
import type { ScanTarget } from './scan-target.ts';
import { blockOf, isUnder, nameOf, pageOf } from './targets.ts';

type TargetValue = Pick<ScanTarget, 'type' | 'value'>;

/** The targets that an engagement may scan, and the exclusions that it must not touch. */
export type Scope = { targets: readonly ScanTarget[]; exclusions: readonly ScanTarget[] };

/** Whether a place is the target itself, an address in its range, a name in its domain or a page below its URL. */
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
    ? repositoryName(target.value) === repositoryName(place.value)
    : target.value === place.value;
}

const unzoned = ({ type, value }: TargetValue): ScanTarget => ({ type, value, zone: null });
const hostOf = ({ type, value }: TargetValue): string => (type === 'host' || type === 'domain' ? value : '');

/** Whether a place is the page, a page below it, or the whole site: tools name the site for a finding on a page. */
function isPageOf(url: string, place: TargetValue): boolean {
  const [above, below] = [URL.parse(url), place.type === 'url' ? URL.parse(place.value) : null];
  if (!above || !below || above.origin !== below.origin) return false;
  const folder = above.pathname.endsWith('/') ? above.pathname : `${above.pathname}/`;
  return below.pathname === above.pathname || below.pathname === '/' || below.pathname.startsWith(folder);
}

/** `covers`, but a URL covers only its page and those below it: an excluded page excludes nothing else of its site. */
export function coversExactly(target: TargetValue, place: TargetValue): boolean {
  if (target.type !== 'url') return covers(target, place);
  const [above, below] = [pageOf(target), pageOf(place)];
  return above !== undefined && below !== undefined && isUnder(above, below);
}

/**
 * Whether a place may be scanned: it is within a target and in no exclusion. A target counts only in its own zone,
 * because the same private address is another host elsewhere. An exclusion without a zone counts in every zone. Names
 * are not resolved, and a URL is not its whole site.
 */
export const isInScope = (scope: Scope, place: ScanTarget): boolean => isWithin(scope, place, holds);

/** `isInScope`, but a target page also covers its site: tools name the site when they mean the page. */
export const isReportable = (scope: Scope, place: ScanTarget): boolean => isWithin(scope, place, covers);

/** `coversExactly`, but a host is not the domain of its name, which has more hosts. */
const holds = (target: TargetValue, place: TargetValue): boolean =>
  (place.type !== 'domain' || target.type === 'domain') && coversExactly(target, place);

function isWithin({ targets, exclusions }: Scope, place: ScanTarget, isCovered: typeof covers): boolean {
  const isTarget = targets.some((outer) => outer.zone === place.zone && isCovered(outer, place));
  const isNear = ({ zone }: ScanTarget) => zone === null || zone === place.zone;
  return isTarget && !exclusions.some((outer) => isNear(outer) && coversExactly(outer, place));
}
