import { type Asset, assetKey, assets } from '#shared/assets/asset/asset.ts';
import { refName, repositoryName } from '#shared/assets/targets/repository.ts';
import { mayEnd, type mayReport } from '#shared/findings/branches/bound.ts';
import { Branch, branches, branchPlace } from '#shared/findings/branches/branch.ts';
import { makeDefault } from '#shared/findings/branches/default-branch.ts';
import { endOf, queueEnd } from '#shared/findings/bulk/branch-end.ts';
import type { Caller } from '#shared/platform/auth/permissions.ts';
import { mergePatch } from '#shared/platform/http/records.ts';
import type { QueuedResponse } from '#shared/platform/jobs/task.ts';
import { invalid, notFound } from '#shared/platform/runtime/errors.ts';
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
export const endBranch = async (context: Context, branch: Branch): Promise<QueuedResponse> =>
  queueEnd(context, endOf(branch).input);

type NamedBranch = { repository: string; ref: string };

/** A branch, in any spelling of its repository and name that an import may have, with the names of its repository. */
export async function findBranch(table: Table, { repository, ref }: NamedBranch) {
  const [value, name] = [repositoryName(repository), refName(ref)];
  const identity = assetKey({ type: 'repository', value, zone: null });
  const asset = await table.findUnique(assets, { field: 'identity', value: identity }, true);
  if (!asset && table.part) throw notFound('asset', value);
  if (!asset) return { name, branch: undefined, repositories: [value] };
  const place = branchPlace({ assetId: asset.id, name });
  const branch = await table.findUnique(branches, { field: 'place', value: place }, true);
  return { name, branch, repositories: namesOf(asset) };
}

/** @throws not_found, also for a caller that is bound to other branches */
export async function branchToEnd({ table, caller }: Asking, named: NamedBranch): Promise<Branch> {
  const { name, branch, repositories } = await findBranch(table, named);
  if (!branch || !mayEnd(caller, { repositories, ref: name }))
    throw notFound('branch', `${name} of ${repositoryName(named.repository)}`);
  return branch;
}

type Asking = { table: Table; caller: Caller };

/** A branch by its id, with the names of its repository, where the caller is bound to none or to this one. @throws not_found */
export async function boundBranch({ table, caller }: Asking, id: string, may: typeof mayReport) {
  const branch = await table.get(branches, id, true);
  const asset = await table.find(assets, branch.assetId);
  if (!asset && table.part) throw notFound('branch', id);
  const repositories = asset ? namesOf(asset) : [];
  if (!may(caller, { repositories, ref: branch.name })) throw notFound('branch', id);
  return { branch, repositories };
}

const namesOf = ({ value, aliases = [] }: Pick<Asset, 'value' | 'aliases'>): string[] => [
  value,
  ...aliases.map((alias) => alias.value),
];
