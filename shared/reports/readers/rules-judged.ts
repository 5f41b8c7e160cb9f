import type { Extent, MissingFinding } from '../report/report.ts';

/** Whether the tool could judge the rule of a finding. */
export const isJudged = ({ unjudged = [] }: Extent, { ruleId }: MissingFinding): boolean => !unjudged.includes(ruleId);

/** The same of the package of a finding, which its title names (`packageProblem`). */
export const isPackageJudged = ({ unjudged = [] }: Extent, { title = '', ruleId }: MissingFinding): boolean =>
  !unjudged.some((name) => title === `${ruleId} in ${name}` || title.startsWith(`${ruleId} in ${name} `));
