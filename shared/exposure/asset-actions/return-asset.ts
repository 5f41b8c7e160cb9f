import { type Asset, assets } from '#shared/assets/asset/asset.ts';
import { findings, type StoredFinding } from '#shared/findings/finding/finding.ts';
import { retiredFindings } from '#shared/findings/finding/retired-finding.ts';
import { queueNewTask } from '#shared/platform/jobs/outbox.ts';
import { chunksOf } from '#shared/platform/runtime/chunks.ts';
import { isConflict, retry } from '#shared/platform/runtime/retry.ts';
import type { Context } from '#shared/platform/table/context.ts';
import { commitMany } from '#shared/platform/table/many.ts';
import { ordinalsOf, wholeRecordsAt } from '#shared/platform/table/selected.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { idsOf } from '#shared/platform/table/unique-ids.ts';
import { newAssetChangeTask } from './asset-change.ts';

/**
 * Brings a retired asset back with its findings. These come first: if the work stops between, it is retired still and goes on when
 * it is seen again. A task of the system then brings them to the policies and rules of today.
 * @param retiredAt where given, an asset that was retired again since stays so
 * @returns the number of its findings
 */
export async function returnAsset({ table, connections }: Context, id: string, retiredAt?: string): Promise<number> {
  const isMeant = (asset?: Asset): boolean =>
    Boolean(asset?.retiredAt) && (retiredAt === undefined || asset?.retiredAt === retiredAt);
  if (retiredAt && !isMeant(await table.find(assets, id, true))) return 0;
  const count = await retry(() => returnFindings(table, id), isConflict);
  await retry(async () => {
    const asset = await table.find(assets, id, true);
    if (!asset || !isMeant(asset)) return;
    const next = table.changed<Asset, never>(asset, { retiredAt: undefined });
    const queued = newAssetChangeTask(table, [id]);
    await queueNewTask({ connections, table }, queued, (batch) => batch.update(assets, asset, next));
  }, isConflict);
  return count;
}

/** Findings that are read and moved together. */
const PART = 200;

async function returnFindings(table: Table, assetId: string): Promise<number> {
  const ordinals = await ordinalsOf(table, retiredFindings, { where: { asset: assetId } });
  for (const part of chunksOf(ordinals, PART)) {
    const kept = await wholeRecordsAt(table, retiredFindings, { ordinals: part, consistent: true });
    const taken = await takenBy(table, kept);
    await commitMany(
      () => table.batch(true),
      kept,
      (batch, finding) => {
        batch.delete(retiredFindings, finding);
        if (!taken(finding)) batch.create(findings, table.changed(finding, {}));
      },
    );
  }
  for (const entity of [retiredFindings, findings]) await table.workJournal(entity);
  return ordinals.length;
}

/** Whether a report that was in progress at the asset's retirement made the same finding again. */
export async function takenBy(table: Table, kept: readonly StoredFinding[]) {
  const values = kept.map(({ fingerprint }) => fingerprint);
  const ids = await idsOf(table, findings, { field: 'fingerprint', values, consistent: true });
  return ({ fingerprint }: StoredFinding): boolean => ids.has(fingerprint);
}
