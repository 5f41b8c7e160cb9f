import type { Branch } from '#shared/entities/branch.ts';

/** The branch that a report is of, and the branches that it is compared with. */
export type OnBranch = {
  branch: Branch;
  /** Names under which findings of the default branch may stand, the present one first; none as long as it is unknown. */
  defaultNames: string[];
  /** Another branch beside the default one that the report is compared with. */
  base: string | undefined;
};
