import { createHash } from 'node:crypto';
import type { Tally } from '#shared/platform/table/entity.ts';
import { addressesOf, cloudAccountsOf, hostNamesOf, type Named } from './asset-names.ts';

type Scoped = Named & { zone: string | null; tags: readonly string[]; ruleTags?: readonly string[] | undefined };

const has = (list: readonly unknown[] | undefined): boolean => list !== undefined && list.length > 0;

/** Counts the assets that have a value of each kind by which applications take assets in bulk. */
export const scopeFacets = (asset: Scoped): Record<string, number> => ({
  ...(asset.zone !== null && { zoned: 1 }),
  ...((has(asset.tags) || has(asset.ruleTags)) && { tagged: 1 }),
  ...(has(Object.keys(asset.cloud?.tags ?? {})) && { cloudTagged: 1 }),
  ...(has(cloudAccountsOf(asset)) && { inAccount: 1 }),
  ...(has(hostNamesOf(asset)) && { named: 1 }),
  ...(has(addressesOf(asset)) && { addressed: 1 }),
});

/** The keys of cloud tags share this many rows: an asset may have 50 of them. */
const ROWS = 8;
/** Before each name, because a key may have the name of an attribute of the row. */
const PREFIX = 'k';

const rowOf = (key: string): string => String(createHash('sha1').update(key).digest().readUInt8(0) % ROWS);

/** How many assets have each key of cloud tags. */
export function cloudTagTallies(cloud: Scoped['cloud']): Tally[] {
  const rows = Map.groupBy(Object.keys(cloud?.tags ?? {}), rowOf);
  return [...rows].map(([value, keys]) => ({
    facet: 'cloudTag',
    value,
    add: Object.fromEntries(keys.map((key) => [PREFIX + key, 1])),
  }));
}

export const cloudTagKey = (name: string): string => name.slice(PREFIX.length);
