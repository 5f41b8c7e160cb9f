import { type Asset, type AssetIdentity, assetKey, assets } from '#shared/assets/asset/asset.ts';
import { learnKnownAssets, namedAsset } from '#shared/assets/asset/known-assets.ts';
import { factChanges } from '#shared/assets/inventory/facts.ts';
import { keepReported, tellsOfMerged } from '#shared/assets/inventory/keep.ts';
import { ensureAssets, untouchedFields } from '#shared/findings/finding/assets.ts';
import { chunksOf, eachAtOnce } from '#shared/platform/runtime/chunks.ts';
import { isConflict, retry } from '#shared/platform/runtime/retry.ts';
import { commitMany } from '#shared/platform/table/many.ts';
import { Inventories } from '#shared/reports/readers/inventories.ts';
import type { ReportInventory } from '#shared/reports/report/report.ts';
import type { Applied } from '../phases.ts';
import type { Slice } from '../slicer.ts';
import { noteChanges } from '../undo-log.ts';
import { forgetOthers } from './forget-others.ts';
import { isPartial, partOf, said } from './part-of.ts';
import { loadInventories, tellsSomething } from './reported.ts';
import { isTold, readSeen, sourceOf, writeSeen } from './seen.ts';

/** Assets that are written together. */
const AT_ONCE = 20;

/**
 * Keeps the services, software and facts of assets that the report names. A report that says the same as before writes nothing to the table; a report
 * that came in before the newest one that was kept changes nothing.
 * @returns undefined when the time is up before all assets are written
 */
export async function keepInventory(read: Applied, { isOver }: Pick<Slice, 'isOver'>): Promise<Applied | undefined> {
  const { onBranch } = read;
  // another branch has other packages, but they run nowhere
  const reported = (onBranch?.branch.isDefault ?? true) ? await loadInventories(read) : [];
  if (reported.length === 0) return read;
  const source = sourceOf(read.submission);
  const [seen, told] = [await readSeen(read, source), await reportedByAsset(read, reported)];
  const news = told.filter(({ key }) => (seen.get(key)?.at ?? '') < read.at);
  const changed = news.filter(({ key, hash, asset, id }) => {
    const isOfMerged = asset !== undefined && tellsOfMerged(asset, source);
    return id && (isOfMerged || seen.get(key)?.hash !== hash);
  });
  const notes = changed.map((one) => ({
    id: one.id ?? '',
    from: { wasTold: isTold(seen, one.key) },
    ...(!isTold(seen, one.key) && { facts: factsOf(one) }),
  }));
  await noteChanges(read, (files) => files.told, notes);
  let done = 0;
  for (const some of chunksOf(changed, AT_ONCE)) {
    if (done > 0 && (await isOver())) break;
    await retry(() => write(read, source, some), isConflict);
    done += some.length;
  }
  const late = new Set(changed.slice(done));
  for (const one of news) if (!late.has(one)) seen.set(one.key, { at: read.at, hash: one.hash });
  const gone = late.size === 0 ? await forgetOthers(read, source, { seen, told }) : 0;
  if (news.length + gone > 0) await writeSeen(read, source, seen);
  return late.size === 0 ? read : undefined;
}

/** The report's statement about an asset; without an id the asset does not exist and gets none. */
type ReportedAsset = {
  key: string;
  identity: AssetIdentity;
  id: string | undefined;
  asset: Asset | undefined;
  inventory: ReportInventory;
  hash: string;
};

/** The fields that the report gives an asset about which nothing is known. */
const factsOf = ({ identity, inventory: { identifiers, facts } }: ReportedAsset): Partial<Asset> =>
  factChanges({ value: identity.value, ...untouchedFields(identity) }, { identifiers, ...facts });

/** The inventories by asset: several names may lead to one. An empty one makes no asset. */
async function reportedByAsset(read: Applied, reported: readonly Placed[]): Promise<ReportedAsset[]> {
  const {
    table,
    at,
    taskId,
    learned: { assets: known },
  } = read;
  const telling = reported.filter(({ inventory }) => tellsSomething(inventory)).map(({ asset }) => asset);
  await ensureAssets(table, telling, {
    at,
    known,
    importId: taskId,
    toolsOf: () => read.manifest.toolNames,
  });
  const keys = reported.map(({ asset }) => assetKey(asset));
  await learnKnownAssets(table, known, keys, true);
  const together = new Map<string, Pick<ReportedAsset, 'identity' | 'id' | 'asset'> & { inventories: Inventories }>();
  for (const { asset, inventory } of reported) {
    const { identity } = namedAsset(known, asset);
    const key = assetKey(identity);
    const { id, asset: named } = known.get(assetKey(asset)) ?? {};
    const one = together.get(key) ?? { identity, id, asset: named, inventories: new Inventories() };
    one.inventories.add({ ...inventory, asset: null });
    together.set(key, one);
  }
  return [...together].flatMap(([key, { inventories, ...one }]) =>
    [...inventories.all()].map((inventory) => ({ key, ...one, inventory, hash: said(read, inventory, one.id) })),
  );
}

type Placed = { asset: AssetIdentity; inventory: ReportInventory };

async function write(read: Applied, source: string, some: readonly ReportedAsset[]): Promise<void> {
  const { table, connections, at } = read;
  const owner = { bucket: connections.bucket, organizationId: table.organizationId };
  const partial = isPartial(read);
  const changed = await eachAtOnce(some, AT_ONCE, async ({ id = '', inventory }) => {
    const asset = await table.find(assets, id, true);
    const part = partOf(read, inventory, partial);
    const changes = asset && (await keepReported(owner, asset, { source, at, ...inventory, partOf: part }));
    return asset && changes ? [{ asset, changes }] : [];
  });
  await commitMany(table.batch, changed.flat(), (batch, { asset, changes }) =>
    batch.update(assets, asset, table.changed<Asset, never>(asset, changes)),
  );
}
