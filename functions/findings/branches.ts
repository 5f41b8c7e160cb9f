import { Branch, branches } from '#shared/entities/branch.ts';
import { mergePatch } from '#shared/http/records.ts';
import { invalid } from '#shared/runtime/errors.ts';
import { retry } from '#shared/runtime/retry.ts';
import type { Table } from '#shared/table/table.ts';

type BranchPatch = { patch: Partial<Record<string, unknown>>; ifMatch?: string };

/** Names under which findings of a default branch may stand: more are never looked for. */
const MAX_FORMER = 5;

/** Makes a branch the default one, in place of the one before. */
export const updateBranch = (table: Table, id: string, change: BranchPatch): Promise<Branch> =>
  retry(async () => {
    const branch = await table.get(branches, id, true);
    const wanted = mergePatch(Branch, branch, change);
    if (!wanted) return branch;
    if (!wanted.isDefault) throw invalid('isDefault', 'must be true: make another branch the default instead');
    const before = await table.findUnique(branches, { field: 'default', value: branch.assetId }, true);
    const batch = table.batch();
    if (before)
      batch.update(branches, before, table.changed<Branch, never>(before, { isDefault: false, isGuessed: false }));
    const names = before ? [before.name, ...before.formerNames] : [];
    const formerNames = names.filter((name) => name !== branch.name).slice(0, MAX_FORMER);
    const next = batch.update(
      branches,
      branch,
      table.changed<Branch, never>(branch, { isDefault: true, isGuessed: false, endedAt: null, formerNames }),
    );
    await batch.commit();
    return next;
  });
