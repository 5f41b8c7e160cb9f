import { isDeepStrictEqual } from 'node:util';
import { type Asset, assets, type InventorySource } from '#shared/assets/asset/asset.ts';
import { forgetReported } from '#shared/assets/inventory/keep.ts';
import { osTogether, sourcesOf } from '#shared/assets/inventory/together.ts';
import type { StoredSubmission } from '#shared/ingest/submission.ts';
import type { Work } from '#shared/platform/jobs/worker.ts';
import { chunksOf, eachAtOnce } from '#shared/platform/runtime/chunks.ts';
import { now } from '#shared/platform/runtime/clock.ts';
import { ordinalOf } from '#shared/platform/runtime/ids.ts';
import { isConflict, retry } from '#shared/platform/runtime/retry.ts';
import { commitMany } from '#shared/platform/table/many.ts';
import { wholeRecordsAt } from '#shared/platform/table/selected.ts';
import { readNoted } from '../undo-log.ts';
import { readSeen, sourceOf, writeSeen } from './seen.ts';

const AT_ONCE = 20;

type Import = Pick<Work, 'table' | 'connections'> & { taskId: string; at: string; submission: StoredSubmission };

/**
 * Takes back the inventory of an import where its source had reported nothing about the asset before. Where it had, the former lists are no
 * longer kept: the import's stay until the next report of the source. Repeating it changes nothing.
 */
export async function undoInventory(undone: Import): Promise<{ removed: number; kept: number }> {
  const { at, submission } = undone;
  const told = await readNoted(undone, (files) => files.told);
  if (told.length === 0) return { removed: 0, kept: 0 };
  const source = sourceOf(submission);
  const alone = told.flatMap(({ id, from }) => (from.wasTold ? [] : id));
  for (const some of chunksOf(alone, AT_ONCE)) await retry(() => forget(undone, source, some), isConflict);
  const seen = await readSeen(undone, source);
  for (const [key, one] of seen) if (one.at === at) seen.delete(key);
  await writeSeen(undone, source, seen);
  const kept = await toldBy(undone, source, told);
  return { removed: told.length - kept, kept };
}

/** The statement of the import about an asset, if no later report replaced it. */
const statementOf = (asset: Asset, source: string, at: string): InventorySource | undefined =>
  sourcesOf(asset).find((one) => one.source === source && !one.assetId && one.changedAt === at);

async function forget({ table, connections, at }: Import, source: string, ids: readonly string[]): Promise<void> {
  const owner = { bucket: connections.bucket, organizationId: table.organizationId };
  const current = await wholeRecordsAt(table, assets, { ordinals: ids.map(ordinalOf), consistent: true });
  const changed = await eachAtOnce(current, AT_ONCE, async (asset) => {
    const statement = statementOf(asset, source, at);
    const changes = statement && (await forgetReported(owner, asset, { source, at: now() }));
    return statement && changes ? [{ asset, changes: { ...changes, ...systemWithout(asset, statement) } }] : [];
  });
  await commitMany(table.batch, changed.flat(), (batch, { asset, changes }) =>
    batch.update(assets, asset, table.changed<Asset, never>(asset, changes)),
  );
}

/** No other source knows a system, and the asset has that of the import. */
function systemWithout(asset: Asset, statement: InventorySource): Pick<Asset, 'os'> {
  const others = sourcesOf(asset).filter((one) => one !== statement);
  return !osTogether(others) && statement.os && isDeepStrictEqual(asset.os, statement.os) ? { os: null } : {};
}

async function toldBy({ table, at }: Import, source: string, told: readonly { id: string }[]): Promise<number> {
  let count = 0;
  for (const some of chunksOf(told, 100)) {
    const current = await table.findMany(
      assets,
      some.map(({ id }) => id),
      true,
    );
    count += current.filter((asset) => statementOf(asset, source, at)).length;
  }
  return count;
}
