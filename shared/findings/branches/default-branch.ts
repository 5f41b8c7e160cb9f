import { retry } from '#shared/platform/runtime/retry.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { type Branch, branches } from './branch.ts';

/** The most former names under which findings of a default branch may exist: no search uses more. */
const MAX_FORMER = 5;

/** Makes a branch the default one in place of the former default branch, if wanted. */
export const makeDefault = (
  table: Table,
  id: string,
  isToBe = ({ isDefault }: Branch): boolean => !isDefault,
): Promise<Branch> =>
  retry(async () => {
    const branch = await table.get(branches, id, true);
    if (!isToBe(branch)) return branch;
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
