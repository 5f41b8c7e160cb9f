import { assetKey, assets } from '#shared/assets/asset/asset.ts';
import { refName, repositoryName } from '#shared/assets/targets/repository.ts';
import { Branch, branches, branchPlace } from '#shared/findings/branches/branch.ts';
import { makeDefault } from '#shared/findings/branches/default-branch.ts';
import { queueEnd } from '#shared/findings/bulk/branch-end.ts';
import { mergePatch } from '#shared/platform/http/records.ts';
import type { QueuedResponse } from '#shared/platform/jobs/task.ts';
import { conflict, invalid, notFound } from '#shared/platform/runtime/errors.ts';
import type { Context } from '#shared/platform/table/context.ts';
import type { Table } from '#shared/platform/table/table.ts';

type BranchPatch = { patch: Partial<Record<string, unknown>>; ifMatch?: string };

/** Changes a branch, which can become the default one. @throws validation_failed */
export const updateBranch = (table: Table, id: string, change: BranchPatch): Promise<Branch> =>
  makeDefault(table, id, (branch) => {
    const wanted = mergePatch(Branch, branch, change);
    if (wanted && !wanted.isDefault)
      throw invalid('isDefault', 'must be true: make another branch the default instead');
    return wanted !== undefined;
  });

/** Closes the findings that only a branch has. @throws conflict for the default branch */
export async function endBranch(context: Context, { id, name, isDefault }: Branch): Promise<QueuedResponse> {
  if (isDefault) throw conflict(`${name} is the default branch: make another branch the default first.`);
  return queueEnd(context, { branchId: id, isRemoved: false });
}

/** A scanned branch, in any spelling of its repository and name that an import may have. @throws not_found */
export async function branchNamed(table: Table, named: { repository: string; ref: string }): Promise<Branch> {
  const [value, name] = [repositoryName(named.repository), refName(named.ref)];
  const identity = assetKey({ type: 'repository', value, zone: null });
  const asset = await table.findUnique(assets, { field: 'identity', value: identity }, true);
  const place = asset && branchPlace({ assetId: asset.id, name });
  const branch = place && (await table.findUnique(branches, { field: 'place', value: place }, true));
  if (!branch) throw notFound('branch', `${name} of ${value}`);
  return branch;
}
