import { Branch } from '#shared/entities/branch.ts';
import { makeDefault } from '#shared/findings/default-branch.ts';
import { mergePatch } from '#shared/http/records.ts';
import { invalid } from '#shared/runtime/errors.ts';
import type { Table } from '#shared/table/table.ts';

type BranchPatch = { patch: Partial<Record<string, unknown>>; ifMatch?: string };

/** Changes a branch, which can become the default one. @throws validation_failed */
export const updateBranch = (table: Table, id: string, change: BranchPatch): Promise<Branch> =>
  makeDefault(table, id, (branch) => {
    const wanted = mergePatch(Branch, branch, change);
    if (wanted && !wanted.isDefault)
      throw invalid('isDefault', 'must be true: make another branch the default instead');
    return wanted !== undefined;
  });
