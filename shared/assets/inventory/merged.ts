import type { Bucket } from '#shared/platform/runtime/bucket.ts';
import type { Asset } from '../asset/asset.ts';
import { changesOf, newest } from './keep.ts';
import { readParts, sourcesOf } from './together.ts';

type Owner = { bucket: Bucket; organizationId: string };
type Merging = { asset: Asset; into: Asset; at: string };

/** The changes that give an asset the inventory of another asset too. The parts stay in their place. */
export async function withInventoryOf(owner: Owner, { asset, into, at }: Merging): Promise<Partial<Asset>> {
  const added = sourcesOf(asset).map((one) => ({ ...one, assetId: one.assetId ?? asset.id }));
  if (added.length === 0) return {};
  const inventory = newest([...sourcesOf(into), ...added]);
  return movedTo(owner, { into, inventory, at });
}

/** The changes that remove from an asset the inventory of another asset, reported before their merge. */
export async function withoutInventoryOf(owner: Owner, { asset, into, at }: Merging): Promise<Partial<Asset>> {
  const gone = new Set([asset.id, ...sourcesOf(asset).map(({ assetId }) => assetId)]);
  const sources = sourcesOf(into);
  const inventory = sources.filter(({ assetId }) => assetId === undefined || !gone.has(assetId));
  if (inventory.length === sources.length) return {};
  const { os: _os, ...changes } = await movedTo(owner, { into, inventory, at });
  const next = { ...into, ...changes };
  return {
    inventory: inventory.length > 0 ? inventory : undefined,
    services: next.services?.length ? next.services : undefined,
    products: next.products?.length ? next.products : undefined,
    software: inventory.some(({ software }) => software !== null) ? next.software : undefined,
  };
}

type Moved = { into: Asset; inventory: NonNullable<Asset['inventory']>; at: string };

async function movedTo({ bucket, organizationId }: Owner, { into, inventory, at }: Moved): Promise<Partial<Asset>> {
  const [before, now] = await Promise.all([
    readParts(bucket, organizationId, into),
    readParts(bucket, organizationId, { ...into, inventory }),
  ]);
  const parts = (all: typeof now) => all.map(({ part }) => part);
  return changesOf(into, { inventory, at, before: parts(before), now: parts(now) });
}
