import { type Asset, assets } from '#shared/assets/asset/asset.ts';
import { readAssets } from '#shared/assets/asset/known-assets.ts';
import { forgetReported } from '#shared/assets/inventory/keep.ts';
import { chunksOf, eachAtOnce } from '#shared/platform/runtime/chunks.ts';
import { isConflict, retry } from '#shared/platform/runtime/retry.ts';
import { commitMany } from '#shared/platform/table/many.ts';
import type { Read } from '../phases.ts';
import { GONE, isTold, type Seen } from './seen.ts';

const AT_ONCE = 20;

/**
 * Takes from assets what a complete inventory does not name any more. The assets stay: no other source has to agree.
 * @returns how many assets the source no longer names
 */
export async function forgetOthers(
  read: Read,
  source: string,
  { seen, told }: { seen: Seen; told: readonly { key: string }[] },
): Promise<number> {
  const { complete } = read.submission.inventory ?? {};
  if (complete === undefined) return 0;
  const since = complete === 'now' || complete > read.at ? read.at : complete;
  const named = new Set(told.map(({ key }) => key));
  const gone = [...seen].flatMap(([key, { at }]) => (!named.has(key) && at < since && isTold(seen, key) ? [key] : []));
  for (const some of chunksOf(gone, AT_ONCE)) await retry(() => forget(read, source, some), isConflict);
  for (const key of gone) seen.set(key, { at: read.at, hash: GONE });
  return gone.length;
}

async function forget({ table, connections, at }: Read, source: string, keys: readonly string[]): Promise<void> {
  const known = await readAssets(table, keys, true);
  const owner = { bucket: connections.bucket, organizationId: table.organizationId };
  const changed = await eachAtOnce([...known.values()], AT_ONCE, async (one) => {
    const asset = one && (await table.find(assets, one.id, true));
    const changes = asset && (await forgetReported(owner, asset, { source, at }));
    return asset && changes ? [{ asset, changes }] : [];
  });
  await commitMany(table.batch, changed.flat(), (batch, { asset, changes }) =>
    batch.update(assets, asset, table.changed<Asset, never>(asset, changes)),
  );
}
