import { refName } from '#shared/assets/targets/repository.ts';
import { branches } from '#shared/findings/branches/branch.ts';
import { retry } from '#shared/platform/runtime/retry.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { isUsual, mayBeDefault } from '../branch.ts';
import { newBranch } from '../make-branch.ts';

/** More names than these are never looked for. */
const MAX_FORMER = 5;

/**
 * Findings of a default branch keep the fingerprints of the spelling under which they were made: the branch notes it among its
 * former names. A repository whose branches nobody knows gets its first one.
 */
export const keepFormerName = (table: Table, assetId: string, spelled: string): Promise<void> =>
  retry(async () => {
    const name = refName(spelled);
    const standard = await table.findUnique(branches, { field: 'default', value: assetId }, true);
    if (!standard) {
      if (!mayBeDefault({ name })) return;
      await newBranch(table, { assetId, name, isDefault: true, isGuessed: !isUsual(name), formerNames: [spelled] });
      return;
    }
    const { formerNames } = standard;
    if (![standard.name, ...formerNames].includes(name) || formerNames.includes(spelled)) return;
    if (formerNames.length < MAX_FORMER)
      await table.update(branches, standard, { formerNames: [...formerNames, spelled] });
  });
