import { type Branch, branches } from '#shared/findings/branches/branch.ts';
import { branchTimer } from '#shared/findings/bulk/branch-end.ts';
import { ensureAssets } from '#shared/findings/finding/assets.ts';
import { isConflict, retry } from '#shared/platform/runtime/retry.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { putTimer } from '#shared/platform/timers/timers.ts';
import { branchOn, repositoryOf } from './branch.ts';
import type { PlannedBranch } from './on-branch.ts';
import type { Read } from './phases.ts';

/** Makes the branch of a report that was read to its end; one that cannot be read changes nothing. */
export async function makeBranch(read: Read): Promise<Read> {
  const { table, submission, at, taskId, onBranch, manifest } = read;
  const identity = repositoryOf(submission);
  if (!identity || !onBranch || onBranch.isMade) return read;
  return retry(async () => {
    const [asset] = (
      await ensureAssets(table, [identity], { at, importId: taskId, toolsOf: () => manifest.toolNames })
    ).values();
    if (!asset) throw new Error(`no asset for ${identity.value}`);
    const { standard, branch, ...now } = await branchOn(table, submission, asset.id);
    if (branch.isDefault !== onBranch.branch.isDefault || branch.name !== onBranch.branch.name)
      throw new Error(`another branch of ${identity.value} became the default one: the report is worked anew`);
    const made = now.isMade ? branch : await make(table, { ...branch, assetId: asset.id }, standard);
    return { ...read, onBranch: { ...onBranch, ...now, branch: made, isMade: true } };
  }, isConflict);
}

type NewBranch = PlannedBranch & { assetId: string };

async function make(table: Table, planned: NewBranch, standard: Branch | undefined): Promise<Branch> {
  const { id, name, isDefault, isGuessed, formerNames } = planned;
  if (id === undefined) return newBranch(table, planned, isDefault ? standard : undefined);
  const current = await table.get(branches, id, true);
  return table.update(branches, current, { name, isDefault, isGuessed, formerNames });
}

/** Makes a branch, as the default one in place of `former`. */
async function newBranch(table: Table, planned: NewBranch, former?: Branch): Promise<Branch> {
  const { assetId, name, isDefault, isGuessed, formerNames } = planned;
  const [id = ''] = await table.reserve(branches, 1);
  const batch = table.batch();
  if (former)
    batch.update(branches, former, table.changed<Branch, never>(former, { isDefault: false, isGuessed: false }));
  const draft = { id, assetId, name, isDefault, isGuessed, formerNames, lastScan: null, endedAt: null };
  const branch = batch.create(branches, table.stamp<Branch>(draft));
  batch.write(putTimer(branchTimer(table, id)));
  await batch.commit();
  return branch;
}
