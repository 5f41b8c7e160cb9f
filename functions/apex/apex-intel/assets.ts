import { type Asset, assetKey, assets } from '#shared/assets/asset/asset.ts';
import type { Scope } from '#shared/assets/targets/covers.ts';
import type { ScanTarget } from '#shared/assets/targets/scan-target.ts';
import { type ScopeCheck, scopeCheck } from '#shared/assets/targets/scope-check.ts';
import { nameOf } from '#shared/assets/targets/targets.ts';
import { blockText, parseBlock } from '#shared/platform/runtime/addresses.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { isTargetType } from '#shared/reports/report/asset-type.ts';

/** Limits of the reads: a wide engagement scope costs no more than a narrow one, and the answer says `truncated`. */
const MAX_ASSETS = 200;
const MAX_LOOKUPS = 300;
const MAX_MATCHES = 500;
const MAX_CHECKED = 2000;

export type Found<T> = { items: T[]; isTruncated: boolean };

export const isAssetInScope = (check: ScopeCheck, { type, value, zone }: Asset): boolean =>
  isTargetType(type) && check.isInScope({ type, value, zone });

/** The assets in an engagement scope: found by name or by the beginning of their address, then checked one by one. */
export async function assetsInScope(table: Table, scope: Scope): Promise<Found<Asset>> {
  const lookups = lookupsOf(scope.targets);
  const found = await Promise.all(lookups.slice(0, MAX_LOOKUPS).map((lookup) => run(table, lookup)));
  const byId = new Map(found.flatMap(({ items }) => items).map((asset) => [asset.id, asset]));
  const check = scopeCheck(scope);
  const candidates = [...byId.values()].sort(newestFirst);
  const items = candidates.slice(0, MAX_CHECKED).filter((asset) => isAssetInScope(check, asset));
  const isCut = lookups.length > MAX_LOOKUPS || candidates.length > MAX_CHECKED || items.length > MAX_ASSETS;
  const isTruncated = isCut || found.some((one) => one.isTruncated);
  return { items: items.slice(0, MAX_ASSETS), isTruncated };
}

const newestFirst = (a: Asset, b: Asset): number => (a.id < b.id ? 1 : -1);

/** One read: by words, by identity, or the newest assets (for names below a domain and ranges without common parts). */
type Lookup = { search: string } | { key: string } | { newest: true };

function lookupsOf(targets: readonly ScanTarget[]): Lookup[] {
  const lookups = targets.flatMap((target): Lookup[] => {
    const { type, value, zone } = target;
    if (type === 'cidr') return [rangeLookup(value)];
    const name = nameOf(target);
    if (name === undefined) return [{ key: assetKey({ type, value, zone }) }];
    if (type === 'host' && parseBlock(name)) return addressLookups(name, zone);
    return type === 'domain' ? [{ search: name }, { newest: true }] : [{ search: name }];
  });
  return [...new Map(lookups.map((lookup) => [JSON.stringify(lookup), lookup])).values()];
}

/** A search for `10.0.0.1` would find a hundred other addresses, so the host and its two sites are read by identity. */
function addressLookups(address: string, zone: string | null): Lookup[] {
  const authority = address.includes(':') ? `[${address}]` : address;
  const sites = ['http', 'https'].map((scheme) => ({ type: 'url' as const, value: `${scheme}://${authority}/` }));
  return [{ type: 'host' as const, value: address }, ...sites].map((place) => ({ key: assetKey({ ...place, zone }) }));
}

/** The common beginning of all addresses of a range: `10.1.` of 10.1.0.0/16. */
function rangeLookup(range: string): Lookup {
  const block = parseBlock(range);
  if (!block) return { newest: true };
  const [separator, bits] = block.version === 4 ? ['.', 8] : [':', 16];
  const [address = ''] = blockText(block).split('/');
  const groups = address.split(separator).slice(0, Math.floor(block.prefix / bits));
  // other addresses of the range may spell out the groups of `::`
  const common = groups.slice(0, groups.includes('') ? groups.indexOf('') : undefined);
  return common.length === 0 ? { newest: true } : { search: common.join(separator) };
}

const FIRST = { paginateFrom: 0, paginateSize: MAX_MATCHES };

async function run(table: Table, lookup: Lookup): Promise<Found<Asset>> {
  if ('key' in lookup) {
    const asset = await table.findUnique(assets, { field: 'identity', value: lookup.key });
    return { items: asset ? [asset] : [], isTruncated: false };
  }
  if ('newest' in lookup) {
    const { data, totalCount } = await table.list(assets, FIRST);
    return { items: data, isTruncated: totalCount > MAX_MATCHES };
  }
  return searchAssets(table, lookup.search, MAX_MATCHES);
}

export async function searchAssets(table: Table, search: string, most: number): Promise<Found<Asset>> {
  const page = await table.list(assets, { search, paginateFrom: 0, paginateSize: most });
  return { items: page.data, isTruncated: page.truncated === true || page.totalCount > most };
}
