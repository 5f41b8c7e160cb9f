import { isDeepStrictEqual } from 'node:util';
import type { Merge } from '#shared/exposure/asset-actions/merge.ts';
import { UNDOABLE_DAYS } from '#shared/exposure/asset-actions/undo.ts';
import { type Branch, branches, branchPlace } from '#shared/findings/branches/branch.ts';
import { branchTimer } from '#shared/findings/bulk/branch-end.ts';
import { readUndoable, type Undoable, undoable, undoWrite } from '#shared/findings/bulk/undo-rows.ts';
import type { Work } from '#shared/platform/jobs/worker.ts';
import { derivedId, ordinalOf } from '#shared/platform/runtime/ids.ts';
import { retry } from '#shared/platform/runtime/retry.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { putTimer } from '#shared/platform/timers/timers.ts';

const MAX_BRANCHES = 1000;
const DAYS = UNDOABLE_DAYS + 1;

/** The rows that say how branches were before a merge. */
const rowsOf = (taskId: string): string => derivedId(taskId, 'branches');

/**
 * Moves the branches of a merged repository to the other repository. When both have a branch of the same name, the
 * other repository's branch stays.
 */
export async function moveBranches({ table, task }: Pick<Work, 'table' | 'task'>, merge: Merge): Promise<void> {
  const page = { paginateFrom: 0, paginateSize: MAX_BRANCHES };
  const { data } = await table.list(branches, { ...page, where: { asset: merge.assetId } });
  for (const { id } of data) await retry(() => moveBranch(table, { ...merge, taskId: task.id }, id));
}

type Moving = Merge & { taskId: string };

async function moveBranch(table: Table, { assetId, intoId, taskId }: Moving, id: string): Promise<void> {
  const branch = await table.find(branches, id, true);
  if (branch?.assetId !== assetId) return;
  const current = await currentAt(table, intoId, branch);
  const batch = table.batch();
  const undo = [...changesOf(branch, current)].map(([one, change]) => {
    batch.update(branches, one, table.changed<Branch, never>(one, change));
    return undoable(one, change);
  });
  if (current.same) batch.delete(branches, branch);
  const kept = current.same ? [...undo, { id, from: { ...branch }, to: {} }] : undo;
  batch.write(undoWrite(table, { taskId: rowsOf(taskId), place: ordinalOf(id), days: DAYS }, kept));
  await batch.commit();
}

/** In the target repository: the branch of the same name, and the default branch. */
async function currentAt(table: Table, intoId: string, { name }: Branch): Promise<Current> {
  const unique = (field: string, value: string) => table.findUnique(branches, { field, value }, true);
  const same = await unique('place', branchPlace({ assetId: intoId, name }));
  return { intoId, same, standard: await unique('default', intoId) };
}

type Current = { intoId: string; same: Branch | undefined; standard: Branch | undefined };

/** Changes the branch or its namesake; the target's default branch takes over the names of another default branch. */
function changesOf(branch: Branch, { intoId, same, standard }: Current): Map<Branch, Partial<Branch>> {
  const { isDefault, isGuessed, name, formerNames } = branch;
  const changes = new Map<Branch, Partial<Branch>>();
  if (!same)
    changes.set(branch, { assetId: intoId, ...(isDefault && standard && { isDefault: false, isGuessed: false }) });
  else {
    const isLater = (branch.lastScan?.at ?? '') > (same.lastScan?.at ?? '');
    const first = isDefault && !standard ? { isDefault, isGuessed } : {};
    changes.set(same, { ...first, ...(isLater && { lastScan: branch.lastScan, endedAt: branch.endedAt }) });
  }
  const heir = standard ?? (isDefault ? same : undefined);
  if (isDefault && heir) {
    const names = [...heir.formerNames, name, ...formerNames].filter((one) => one !== heir.name);
    const target = same && heir.id === same.id ? same : heir;
    changes.set(target, { ...changes.get(target), formerNames: [...new Set(names)] });
  }
  return changes;
}

/** Brings the branches back as they were, where nobody changed them since. Repeating it changes nothing. */
export async function returnBranches(table: Table, taskId: string): Promise<void> {
  const kept = await readUndoable(table, rowsOf(taskId));
  for (const one of kept.toReversed()) await retry(() => returnBranch(table, one));
}

async function returnBranch(table: Table, { id, from, to }: Undoable): Promise<void> {
  const current = await table.find(branches, id, true);
  if (Object.keys(to).length === 0) return giveBack(table, from as Branch, current);
  if (!current) return;
  if ('assetId' in to) return giveBack(table, { ...current, ...from }, current);
  const same = Object.keys(to).filter((name) => isDeepStrictEqual(Reflect.get(current, name) ?? null, to[name]));
  if (same.every((name) => isDeepStrictEqual(from[name], to[name]))) return;
  await table.update<Branch, never>(branches, current, Object.fromEntries(same.map((name) => [name, from[name]])));
}

/** Returns a branch to its repository, unless a scan has made a branch with its name there meanwhile. */
async function giveBack(table: Table, branch: Branch, held: Branch | undefined): Promise<void> {
  const current = await currentAt(table, branch.assetId, branch);
  if (current.same?.id === branch.id) return;
  const { [branch.id]: own, ...others } = Object.fromEntries(
    [...changesOf(branch, current)].map(([one, change]) => [one.id, { one, change }]),
  );
  const batch = table.batch();
  for (const { one, change } of Object.values(others))
    batch.update(branches, one, table.changed<Branch, never>(one, change));
  const back = { ...branch, ...own?.change };
  if (own && held) batch.update(branches, held, table.changed<Branch, never>(held, back));
  if (own && !held) {
    // the deletion was the version in between
    batch.create(branches, { ...table.changed<Branch, never>(branch, back), version: branch.version + 2 });
    batch.write(putTimer(branchTimer(table, branch.id)));
  }
  if (!own && held) batch.delete(branches, held);
  if (batch.size() > 0) await batch.commit();
}
