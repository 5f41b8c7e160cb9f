import { isIP } from 'node:net';
import type * as z from 'zod';
import { hostnameOf } from '#shared/platform/runtime/addresses.ts';
import { caseless } from '#shared/platform/runtime/texts.ts';
import type { AssetIdentifiers, CloudPlace } from './asset-facts.ts';

type Identity = { type: string; value: string };
export type Named = Identity & {
  name: string;
  aliases?: readonly Identity[] | undefined;
  identifiers?: AssetIdentifiers | undefined;
  cloud?: z.infer<typeof CloudPlace> | null | undefined;
};

const identitiesOf = ({ type, value, aliases = [] }: Named): Identity[] => [{ type, value }, ...aliases];

/** The hosts that identities name: addresses and names. */
function hostsIn(asset: Named): string[] {
  return identitiesOf(asset).flatMap(({ type, value }) => {
    if (type === 'host' || type === 'domain' || type === 'edr_device') return [value];
    const url = type === 'url' && URL.parse(value);
    return url ? [hostnameOf(url)] : [];
  });
}

const once = (texts: readonly string[]): string[] => [...new Set(texts)];

/** The host names of an asset in lower case, without addresses. */
export function hostNamesOf(asset: Named): string[] {
  const { hostnames = [], fqdns = [] } = asset.identifiers ?? {};
  const isHost = asset.type === 'host' || asset.type === 'edr_device';
  const names = [...hostsIn(asset), ...hostnames, ...fqdns, ...(isHost ? [asset.name] : [])];
  return once(names.map((name) => name.toLowerCase()).filter((name) => isIP(name) === 0));
}

export const addressesOf = (asset: Named): string[] =>
  once([...hostsIn(asset), ...(asset.identifiers?.ips ?? [])].filter((text) => isIP(text) !== 0));

/** The names of a repository; none of an asset of another type. */
export const repositoriesOf = (asset: Named): string[] =>
  asset.type === 'repository'
    ? identitiesOf(asset).flatMap(({ type, value }) => (type === 'repository' ? [value] : []))
    : [];

export const cloudAccountsOf = ({ type, value, cloud }: Named): string[] =>
  once([...(type === 'cloud_account' ? [value] : []), ...(cloud?.accountId ? [cloud.accountId] : [])]);

/** Replaces the values beyond the limit of an asset that has too many. */
export const MORE = '*';
const MAX_MARKS = 5;

const bounded = (values: readonly string[]): string[] => {
  const different = once(values);
  return different.length <= MAX_MARKS ? different : [...different.slice(0, MAX_MARKS), MORE];
};

/** The first characters by which the index finds host names. */
export const namePart = (name: string): string => [...name].slice(0, NAME_PART).join('');
export const NAME_PART = 3;

/** The network by which the index finds addresses: the first 16 bits of v4. IPv6, which may hold a v4 address, has one for all. */
export const networkOf = (address: string): string =>
  isIP(address) === 4 ? address.split('.').slice(0, 2).join('.') : 'v6';

/** The values by which conditions find assets, beside those that lists filter by (shared/assets/conditions/narrow.ts). */
export const conditionMarks = (asset: Named) => ({
  host: bounded(hostNamesOf(asset).map(namePart)),
  network: bounded(addressesOf(asset).map(networkOf)),
  account: cloudAccountsOf(asset).map(caseless),
  cloudTag: bounded(Object.keys(asset.cloud?.tags ?? {})),
});
