import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import { type Asset, type AssetIdentity, assets, MAX_ALIASES, seenAt } from '../../entities/asset.ts';
import { mergedAssets } from '../../entities/merged-asset.ts';
import { queueNewTask } from '../../jobs/outbox.ts';
import type { QueuedResponse } from '../../jobs/task.ts';
import { now } from '../../runtime/clock.ts';
import type { Connections } from '../../runtime/connections.ts';
import { conflict, invalid } from '../../runtime/errors.ts';
import { retry } from '../../runtime/retry.ts';
import type { Batch } from '../../table/batch.ts';
import type { Table } from '../../table/table.ts';
import { newManyTask } from '../many/queue.ts';
import { undoable } from '../many/undo-rows.ts';
import { assetHistoryWrite } from './asset-history.ts';

export const Merge = z.object({ assetId: z.uuid(), intoId: z.uuid() });
export type Merge = z.infer<typeof Merge>;

/**
 * Merges an asset into another one, whose names all of its names become, and queues the move of its findings, in one transaction:
 * from then on reports find the other asset. The asset is kept as it was, for when the merge is undone.
 * @throws not_found, validation_failed, conflict
 */
export const queueMerge = (connections: Connections, table: Table, merge: Merge): Promise<QueuedResponse> =>
  retry(async () => {
    const { assetId, intoId } = merge;
    if (assetId === intoId) throw invalid('intoId', 'must be the id of another asset');
    const [asset, into] = await Promise.all([table.get(assets, assetId, true), table.get(assets, intoId, true)]);
    assertMergeable(asset, into);
    const resource = { type: 'asset', id: intoId };
    const queued = newManyTask(table, { operation: 'merge_assets', input: merge, resource });
    return queueNewTask(connections, table, queued, (batch) =>
      mergeInto({ table, batch, taskId: queued.task.id }, asset, into),
    );
  });

function assertMergeable(asset: Asset, into: Asset): void {
  const retired = [asset, into].find(({ retiredAt }) => retiredAt);
  if (retired) throw conflict(`The asset ${retired.id} is retired: it can be merged when something sees it again.`);
  if (asset.agentId)
    throw conflict(`The agent ${asset.agentId} reports on the asset ${asset.id}: merge the other asset into this one.`);
  const count = namesOf(asset).length + (into.aliases ?? []).length;
  if (count > MAX_ALIASES) throw conflict(`The assets have ${count} other names, and one has at most ${MAX_ALIASES}.`);
}

const namesOf = ({ type, value, zone, aliases = [] }: Asset): AssetIdentity[] => [{ type, value, zone }, ...aliases];

type Merging = { table: Table; batch: Batch; taskId: string };

function mergeInto({ table, batch, taskId }: Merging, asset: Asset, into: Asset): void {
  const at = now();
  const changes = unionOf(asset, into);
  const mergedInto = { assetId: into.id, taskId, at };
  batch.delete(assets, asset);
  const aside = batch.create(mergedAssets, table.changed<Asset, never>(asset, { mergedInto }));
  const next = batch.update(assets, into, table.changed<Asset, never>(into, changes));
  const { from, to } = undoable(into, changes);
  const history = { at, by: table.actor, taskId };
  const differences = Object.keys(to)
    .filter((name) => !isDeepStrictEqual(from[name], to[name]))
    .map((name) => [name, { from: from[name], to: to[name] }]);
  batch.write(
    assetHistoryWrite(table, {
      ...history,
      assetId: into.id,
      version: next.version,
      changes: Object.fromEntries(differences),
      reason: `The asset ${asset.id} was merged into it.`,
    }),
    assetHistoryWrite(table, {
      ...history,
      assetId: asset.id,
      version: aside.version,
      changes: { mergedInto: { from: null, to: mergedInto } },
      reason: `It was merged into the asset ${into.id}.`,
    }),
  );
}

/** The values of both, for the asset that stays. */
const unionOf = (asset: Asset, into: Asset): Partial<Asset> => ({
  aliases: [...(into.aliases ?? []), ...namesOf(asset)],
  tags: [...new Set([...into.tags, ...asset.tags])].slice(0, MAX_TAGS),
  internetExposed: into.internetExposed ?? asset.internetExposed,
  firstSeenAt: into.firstSeenAt < asset.firstSeenAt ? into.firstSeenAt : asset.firstSeenAt,
  lastSeenAt: seenAt(into) > seenAt(asset) ? seenAt(into) : seenAt(asset),
  sources: [...new Set([...(into.sources ?? []), ...(asset.sources ?? [])])],
});

const MAX_TAGS = 50;
