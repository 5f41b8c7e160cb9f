import { codeBranches } from '#shared/entities/code-branch.ts';
import { isConflict, retry } from '#shared/runtime/retry.ts';
import { fitsExactly } from '#shared/runtime/wildcard.ts';
import { ordinalsOf, recordsAt } from '#shared/table/selected.ts';
import type { Table } from '#shared/table/table.ts';

type Rule = { repositoryId: string; pattern: string };

/** Branches of a repository that one rule is compared with. */
const MOST = 2000;

/** Keeps that the branches whose names fit a rule are protected at the host, or that the rule is gone. */
export async function protectBranches(
  table: Table,
  { repositoryId, pattern }: Rule,
  isProtected: boolean,
): Promise<void> {
  const ordinals = await ordinalsOf(table, codeBranches, { where: { repository: repositoryId } });
  for (const branch of await recordsAt(table, codeBranches, ordinals.slice(0, MOST)))
    if (branch.forkPullRequest == null && fits(branch.name, pattern) && branch.protected !== isProtected)
      await retry(() => table.modify(codeBranches, branch.id, () => ({ protected: isProtected })), isConflict);
}

/** GitHub's patterns are those of a shell: `*` stands for any text without a slash. */
function fits(name: string, pattern: string): boolean {
  const [names, parts] = [name.split('/'), pattern.split('/')];
  return names.length === parts.length && parts.every((part, n) => fitsExactly(part, names[n] ?? ''));
}
