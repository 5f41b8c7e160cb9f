import { Asset, assetKey, assetKeys, assets } from '#shared/assets/asset/asset.ts';
import { familyOf } from '#shared/assets/asset/asset-traits.ts';
import { mergedAssets } from '#shared/assets/asset/merged-asset.ts';
import { keepApart, readAnswer } from '#shared/assets/identity/suggestion.ts';
import { withoutInventoryOf } from '#shared/assets/inventory/merged.ts';
import { type ManyRequest, newManyTask } from '#shared/findings/bulk/queue.ts';
import { queueNewTask, sendOutbox } from '#shared/platform/jobs/outbox.ts';
import {
  isFinished,
  isOfPart,
  type QueuedResponse,
  queued,
  type TaskRow,
  taskRows,
} from '#shared/platform/jobs/task.ts';
import { inSeconds, now } from '#shared/platform/runtime/clock.ts';
import { conflict, notFound } from '#shared/platform/runtime/errors.ts';
import { derivedId } from '#shared/platform/runtime/ids.ts';
import { retry } from '#shared/platform/runtime/retry.ts';
import type { Batch } from '#shared/platform/table/batch.ts';
import type { Context } from '#shared/platform/table/context.ts';
import type { Table } from '#shared/platform/table/table.ts';
import type { LinkedAgent } from '#shared/scanning/agents/agent.ts';
import { agentOn, moveAgent } from './agent.ts';
import { followChange } from './asset-change.ts';
import { assetHistory, assetHistoryWrite } from './asset-history.ts';
import { Merge } from './merge.ts';
import { identifiersWithout, withoutChange } from './union.ts';

/** A merge may be undone for so many days. */
export const UNDOABLE_DAYS = 30;

/**
 * Parts two assets that a task merged, and queues the return of the findings, in one transaction and once: another call
 * answers the same task.
 * @throws not_found, conflict
 */
export function queueMergeUndo({ connections, table }: Context, taskId: string): Promise<QueuedResponse> {
  const id = derivedId(taskId, 'undo');
  return retry(async () => {
    const rows = table.rows(taskRows);
    const [merge, undoing] = await Promise.all([mergeOf(table, taskId), rows.find({ id }, true)]);
    if (undoing) return queued(undoing);
    const { asset, into, request } = await mergeToUndo(table, merge);
    const intoId = into.id;
    const changes = await changesOf(table, intoId, taskId);
    const agent = await agentOf(table, { asset, into });
    const owner = { bucket: connections.bucket, organizationId: table.organizationId };
    const inventory = await withoutInventoryOf(owner, { asset, into, at: now() });
    const answer = familyOf(asset) && familyOf(into) ? await readAnswer(table, [asset.id, intoId]) : undefined;
    const task = newManyTask(table, { ...request, id });
    let following: ReturnType<typeof followChange>;
    const undo = await queueNewTask({ connections, table }, task, (batch) => {
      const parted = part({ table, batch, taskId: id }, { asset, into, changes, agent, inventory });
      if (answer) keepApart({ table, batch }, answer, parted);
      following = followChange(table, batch, { before: into, next: parted[1] });
    });
    if (following) await sendOutbox({ connections, table }, following);
    return undo;
  });
}

/** The task that returns the findings of a merge. @throws not_found, conflict */
export const mergeUndo = async (table: Table, taskId: string): Promise<ManyRequest> =>
  (await mergeToUndo(table, await mergeOf(table, taskId))).request;

async function mergeOf(table: Table, taskId: string): Promise<TaskRow> {
  const merge = await table.rows(taskRows).find({ id: taskId }, true);
  if (merge?.operation !== 'merge_assets' || !isOfPart(table, merge)) throw notFound('merge of assets', taskId);
  return merge;
}

async function mergeToUndo(table: Table, merge: TaskRow) {
  assertEnded(merge);
  const { assetId, intoId } = Merge.parse(merge.input);
  const [asset, into] = await Promise.all([table.find(mergedAssets, assetId, true), table.find(assets, intoId, true)]);
  if (!asset || !into) throw conflict(`The asset ${intoId} was merged or deleted meanwhile: undo its merge first.`);
  await assertLast(table, asset, intoId);
  const input = { undoes: merge.id, assetId, intoId };
  const resource = { type: 'asset', id: assetId };
  const request: ManyRequest = { operation: 'undo_asset_merge', input, resource, reachesAll: true };
  return { asset, into, request };
}

function assertEnded(merge: TaskRow): void {
  const { id, finishedAt = '' } = merge;
  if (!isFinished(merge)) throw conflict(`The merge ${id} is under way: wait for the end of its task.`);
  if (finishedAt < inSeconds(-UNDOABLE_DAYS * 86_400))
    throw conflict(`The merge ${id} ended at ${finishedAt}; a merge can be undone for ${UNDOABLE_DAYS} days.`);
}

const MAX_MERGED = 500;

/** Findings of several merges may have become one: they are parted in the opposite order. */
async function assertLast(table: Table, { mergedInto }: Asset, intoId: string): Promise<void> {
  const query = { paginateFrom: 0, paginateSize: MAX_MERGED, where: { mergedInto: intoId } };
  const { data } = await table.list(mergedAssets, { ...query, consistent: true });
  const later = data.find((one) => (one.mergedInto?.at ?? '') > (mergedInto?.at ?? ''))?.mergedInto;
  if (later) throw conflict(`Another asset was merged into ${intoId} later: undo the merge ${later.taskId} first.`);
}

type Changes = Record<string, { from: unknown; to: unknown }>;

async function changesOf(table: Table, assetId: string, taskId: string): Promise<Changes> {
  const history = await table.rows(assetHistory).query(assetId, { consistent: true });
  return history.find((one) => one.taskId === taskId)?.changes ?? {};
}

/** The agent with which the asset came, if it still reports on the two. */
async function agentOf(table: Table, { asset, into }: Pick<Parting, 'asset' | 'into'>) {
  const agent = await agentOn(table, into);
  return agent?.id === asset.agentId ? agent : undefined;
}

/** The history has null for a field that was absent. */
function formerValue(name: string, from: unknown): unknown {
  const absent = Reflect.get(Asset.shape, name)?.safeParse(undefined);
  return from === null && absent?.success && absent.data === undefined ? undefined : from;
}

type Parting = {
  asset: Asset;
  into: Asset;
  changes: Changes;
  agent: LinkedAgent | undefined;
  inventory: Partial<Asset>;
};
type Place = { table: Table; batch: Batch; taskId: string };

/** Returns the asset's names and its agent, and leaves the other asset with its own values and later ones. */
function part({ table, batch, taskId }: Place, { asset, into, changes, agent, inventory }: Parting): [Asset, Asset] {
  const own = new Set(assetKeys(asset));
  const former = Object.entries(changes).map(([name, change]) => [
    name,
    formerValue(name, (name === 'identifiers' ? identifiersWithout : withoutChange)(Reflect.get(into, name), change)),
  ]);
  const left = (into.aliases ?? []).filter((alias) => !own.has(assetKey(alias)));
  const back: Partial<Asset> = {
    ...inventory,
    ...Object.fromEntries(former),
    aliases: left.length > 0 ? left : undefined,
  };
  const next = batch.update(assets, into, table.changed<Asset, never>(into, back));
  batch.delete(mergedAssets, asset);
  const agentId = agent ? agent.id : null;
  const parted = batch.create(
    assets,
    table.changed<Asset, never>(asset, { mergedInto: undefined, ...(asset.agentId != null && { agentId }) }),
  );
  if (agent) moveAgent({ table, batch }, agent, asset.id);
  const history = { at: now(), by: table.actor, taskId, reason: 'The merge of the two assets was undone.' };
  const names = { from: into.aliases ?? [], to: next.aliases ?? [] };
  batch.write(
    assetHistoryWrite(table, { ...history, assetId: into.id, version: next.version, changes: { aliases: names } }),
    assetHistoryWrite(table, {
      ...history,
      assetId: asset.id,
      version: parted.version,
      changes: { mergedInto: { from: asset.mergedInto, to: null } },
    }),
  );
  return [parted, next];
}
