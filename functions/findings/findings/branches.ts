import { Branch } from '#shared/findings/branches/branch.ts';
import { makeDefault } from '#shared/findings/branches/default-branch.ts';
import { mergePatch } from '#shared/platform/http/records.ts';
import { invalid } from '#shared/platform/runtime/errors.ts';
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
