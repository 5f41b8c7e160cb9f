import type { Branch } from '#shared/findings/branches/branch.ts';

/** A branch as it is, or, without an id, as it is to be made once its report was read. */
export type PlannedBranch = Pick<Branch, 'name' | 'isDefault' | 'isGuessed' | 'formerNames'> &
  Partial<Pick<Branch, 'id' | 'assetId'>>;

/** The branch that a report is of, and the branches that it is compared with. */
export type OnBranch = {
  branch: PlannedBranch;
  /** Whether the table has the branch in this state. */
  isMade: boolean;
  /** Names of the default branch that its findings may have, the present name first; empty as long as the branch is unknown. */
  defaultNames: string[];
  /** Another branch beside the default one that the report is compared with. */
  base: string | undefined;
  /** Former spellings of the repository, under which the same scans were worked. */
  spellings?: string[];
};

/** The names that the default branch has or had, without the name of the report's own branch. */
export const otherNames = ({ branch, defaultNames }: OnBranch): string[] =>
  defaultNames.filter((name) => name !== branch.name);
