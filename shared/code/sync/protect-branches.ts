import { isConflict, retry } from '#shared/platform/runtime/retry.ts';
import { fitsExactly } from '#shared/platform/runtime/wildcard.ts';
import { ordinalsOf, recordsAt } from '#shared/platform/table/selected.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { codeBranches } from '../repositories/code-branch.ts';
import { MAX_RULES, type Repository, repositories } from '../repositories/repository.ts';

type Rule = { repositoryId: string; pattern: string };

/** Branches of a repository that one rule is compared with. */
const MAX_BRANCHES = 2000;

/** Stores that the host protects the branches whose names match a rule, or that the rule is gone. */
export async function protectBranches(table: Table, { repositoryId, pattern }: Rule, isOn: boolean): Promise<void> {
  const repository = await keepRule(table, { repositoryId, pattern }, isOn);
  const ordinals = await ordinalsOf(table, codeBranches, { where: { repository: repositoryId } });
  for (const branch of await recordsAt(table, codeBranches, ordinals.slice(0, MAX_BRANCHES))) {
    if (branch.forkPullRequest != null || !fits(branch.name, pattern)) continue;
    const state = { protected: isProtected(repository, branch.name) };
    if (state.protected !== branch.protected)
      await retry(() => table.modify(codeBranches, branch.id, () => state), isConflict);
  }
}

const keepRule = (table: Table, { repositoryId, pattern }: Rule, isOn: boolean): Promise<Repository> =>
  retry(
    () =>
      table.modify(repositories, repositoryId, ({ protects = [] }) => {
        if (protects.includes(pattern) === isOn) return undefined;
        const others = protects.filter((one) => one !== pattern);
        return { protects: isOn ? [...others, pattern].slice(-MAX_RULES) : others };
      }),
    isConflict,
  );

/** Whether a reported rule protects a branch of this name. */
export const isProtected = ({ protects = [] }: Pick<Repository, 'protects'>, name: string): boolean =>
  protects.some((pattern) => fits(name, pattern));

/** GitHub's patterns are shell patterns: `*` matches any text without a slash. */
function fits(name: string, pattern: string): boolean {
  const [names, parts] = [name.split('/'), pattern.split('/')];
  return names.length === parts.length && parts.every((part, n) => fitsExactly(part, names[n] ?? ''));
}
