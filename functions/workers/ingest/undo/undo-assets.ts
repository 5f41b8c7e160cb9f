import { type Asset, assets, seenAt } from '#shared/assets/asset/asset.ts';
import { sourcesOf } from '#shared/assets/inventory/together.ts';
import { repositories } from '#shared/code/repositories/repository.ts';
import { deleteAsset } from '#shared/exposure/asset-actions/delete.ts';
import { branches } from '#shared/findings/branches/branch.ts';
import { FINDING_COLLECTIONS } from '#shared/findings/view/find.ts';
import { chunksOf } from '#shared/platform/runtime/chunks.ts';
import { isConflict, retry } from '#shared/platform/runtime/retry.ts';
import { commitMany } from '#shared/platform/table/many.ts';
import { ordinalsOf, wholeRecordsAt } from '#shared/platform/table/selected.ts';
import type { Table } from '#shared/platform/table/table.ts';
import type { Undo } from './undo.ts';

type Import = Pick<Undo, 'table' | 'connections' | 'taskId' | 'at'>;
type Count = { deleted: number; kept: number };

const AT_ONCE = 20;

/**
 * Deletes the assets that an import made, where nothing but the import reports them. Its findings are gone by now. A scan that saw
 * such an asset within a day of the import and found nothing has left no trace; its next finding makes the asset anew.
 */
export async function undoAssets(undone: Import): Promise<Count> {
  const { table, taskId } = undone;
  const made = await ordinalsOf(table, assets, { where: { import: taskId } });
  let deleted = 0;
  for (const ordinals of chunksOf(made, AT_ONCE))
    deleted += await retry(() => removeUnused(undone, ordinals), isConflict);
  return { deleted, kept: made.length - deleted };
}

async function removeUnused({ table, connections, at }: Import, ordinals: readonly number[]): Promise<number> {
  const standing = await wholeRecordsAt(table, assets, { ordinals, consistent: true });
  const untold = standing.filter((asset) => isUntold(asset, at));
  const used = await those(untold, (where) => isUsed(table, where));
  const unused = untold.filter(({ id }) => !used.has(id));
  const onBranches = await those(unused, (where) => hasBranch(table, where));
  // the task of such a deletion ends the branches
  for (const id of onBranches) await deleteAsset({ connections, table }, id);
  const alone = unused.filter(({ id }) => !onBranches.has(id));
  await commitMany(table.batch, alone, (batch, asset) => batch.delete(assets, asset));
  return unused.length;
}

/** Nothing has seen the asset since, no other source reports it, and no person has changed it. */
function isUntold(asset: Asset, at: string): boolean {
  const { agentId, ownerId, internetExposed, criticality, tags, aliases = [], links = [], exclusions = [] } = asset;
  const said = [...tags, ...aliases, ...links, ...exclusions, ...sourcesOf(asset), ...(asset.looks ?? [])];
  const isAsMade = agentId == null && ownerId == null && internetExposed === null && criticality === 'medium';
  return seenAt(asset) === at && isAsMade && said.length === 0;
}

type Of = { asset: readonly string[] };

async function isUsed(table: Table, where: Of): Promise<boolean> {
  const all = [...FINDING_COLLECTIONS.map((entity) => ordinalsOf(table, entity, { where }))];
  return (await Promise.all([...all, ordinalsOf(table, repositories, { where })])).flat().length > 0;
}

const hasBranch = async (table: Table, where: Of): Promise<boolean> =>
  (await ordinalsOf(table, branches, { where })).length > 0;

/** The assets of which that is true. Most often it is of none: one question for all finds that out. */
async function those(some: readonly Asset[], isTrueOf: (where: Of) => Promise<boolean>): Promise<Set<string>> {
  const ids = some.map(({ id }) => id);
  const found = new Set<string>();
  if (ids.length > 0 && (await isTrueOf({ asset: ids })))
    for (const id of ids) if (await isTrueOf({ asset: [id] })) found.add(id);
  return found;
}
