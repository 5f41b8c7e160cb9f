import { type Block, contains } from '#shared/platform/runtime/addresses.ts';
import { withoutTrailing } from '#shared/platform/runtime/texts.ts';
import { checkTarget } from './canonical.ts';
import { coversExactly, type Scope } from './covers.ts';
import type { ScanTarget } from './scan-target.ts';
import { blockOf, nameOf } from './targets.ts';

/** Answers by the rules of covers.ts, for any spelling of a place. */
export type ScopeCheck = { isInScope(place: ScanTarget): boolean; isExcluded(place: ScanTarget): boolean };

/** Indexes an engagement scope once: thousands of assets are compared with up to 2,000 targets and exclusions. */
export function scopeCheck({ targets, exclusions }: Scope): ScopeCheck {
  const [within, without] = [indexByZone(targets), indexByZone(exclusions)];
  const isExcluded = (place: ScanTarget) => {
    const here = plain(place);
    return has(without.get(null), here) || (place.zone !== null && has(without.get(place.zone), here));
  };
  const isTarget = (place: ScanTarget) => {
    const index = within.get(place.zone);
    // a host is not the domain of its name
    return has(index && place.type === 'domain' ? { ...index, names: NONE } : index, plain(place));
  };
  return { isExcluded, isInScope: (place) => isTarget(place) && !isExcluded(place) };
}

/** Gives the answers of `coversExactly` by look-up. */
type Index = { blocks: Block[]; names: Set<string>; domains: Set<string>; pages: ScanTarget[]; others: Set<string> };

const NONE = new Set<string>();

function indexByZone(places: readonly ScanTarget[]): Map<string | null, Index> {
  const zones = new Map<string | null, Index>();
  for (const place of places.map(plain)) {
    const current = zones.get(place.zone);
    const index = current ?? { blocks: [], names: new Set(), domains: new Set(), pages: [], others: new Set() };
    if (!current) zones.set(place.zone, index);
    add(index, place);
  }
  return zones;
}

function add(index: Index, place: ScanTarget): void {
  if (place.type === 'url') return void index.pages.push(place);
  const [block, name] = [blockOf(place), nameOf(place)];
  if (block) index.blocks.push(block);
  else if (name === undefined) index.others.add(`${place.type} ${place.value}`);
  else if (place.type === 'domain') index.domains.add(name);
  else index.names.add(name);
}

function has(index: Index | undefined, place: ScanTarget): boolean {
  if (!index) return false;
  const [block, name] = [blockOf(place), nameOf(place)];
  return (
    index.others.has(`${place.type} ${place.value}`) ||
    (block !== undefined && index.blocks.some((outer) => contains(outer, block))) ||
    (name !== undefined && (index.names.has(name) || withParents(name).some((parent) => index.domains.has(parent)))) ||
    (place.type === 'url' && index.pages.some((page) => coversExactly(page, place)))
  );
}

/** `a.example.com`, `example.com`, `com`. */
const withParents = (name: string): string[] => {
  const labels = name.split('.');
  return labels.map((_, n) => labels.slice(n).join('.'));
};

/** One spelling per place: names in lower case, canonical addresses, repositories without scheme, user and `.git`. */
function plain(place: ScanTarget): ScanTarget {
  if (place.type === 'repository') return { ...place, value: repositoryName(place.value) };
  const checked = checkTarget(place);
  return 'value' in checked ? { ...place, ...checked } : place;
}

/** `https://GitHub.com/acme/shop.git`, `git@github.com:acme/shop` and `github.com/acme/shop` are one repository. */
const repositoryName = (value: string): string => {
  const place = value
    .replace(/^[a-z+]+:\/\//i, '')
    .replace(/^[\w.-]+@/, '')
    .replace(/^([^/:]+):(?!\d)/, '$1/');
  return withoutTrailing('/', place)
    .replace(/\.git$/, '')
    .toLowerCase();
};
