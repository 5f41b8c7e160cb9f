import * as z from 'zod';
import { RuleFilterField } from '#shared/platform/filter/rule-filter.ts';
import { Id, objectNamed, Timestamp } from '#shared/platform/http/records.ts';
import { Comparison } from '#shared/reports/report/comparison.ts';
import { Severity } from '#shared/reports/report/report.ts';

/** The types of task that work on a repository. */
const CODE_TASK_TYPES = ['sast', 'secrets', 'dependencies', 'configuration'] as const;
export const CodeTaskType = z.enum(CODE_TASK_TYPES);

/** The types of task of a scan that names none. */
export const USUAL_CODE_TASK_TYPES: z.infer<typeof CodeTaskType>[] = ['sast', 'secrets', 'dependencies'];

export const ScanDepth = z.enum(['full', 'changes']);

/** The branch of a code host that a scanner task scans. Such a task belongs to no engagement. */
export const CodeScan = objectNamed('CodeScan', {
  repositoryId: Id,
  branchId: Id,
  commit: z
    .string()
    .nullable()
    .meta({ description: 'null: the head of the branch, because no event has reported it yet' }),
  depth: ScanDepth,
  cause: z.enum(['request', 'push', 'pull_request', 'schedule']),
  pullRequest: z.int().positive().nullable().meta({ description: 'its number at the code host' }),
  cloneToken: z.boolean().meta({ description: 'the code host gives the scanner a token to clone the repository' }),
});
export type CodeScan = z.infer<typeof CodeScan>;

/** The unique text of a scan by one type of task, while its task has not ended. */
export const codeScanPlace = ({ branchId, commit, depth }: CodeScan, type: string): string =>
  [branchId, commit ?? '', type, depth].join('#');

/** The last scan of a branch that its repository's policy began, and whether its findings pass. */
export const PolicyScan = objectNamed('PolicyScan', {
  commit: z.string().nullable(),
  cause: CodeScan.shape.cause,
  pullRequest: CodeScan.shape.pullRequest,
  base: z.string().nullish().meta({ description: 'the branch that the pull request would change' }),
  failOn: z.enum(['none', ...Severity.options]),
  filter: RuleFilterField.meta({ description: 'only new findings that fit fail the gate' }),
  taskIds: z.array(Id).meta({ description: 'its scanner tasks, one for each type' }),
  startedAt: Timestamp,
  finishedAt: Timestamp.nullable().meta({ description: 'when all of its reports were read' }),
  comparison: Comparison.nullable(),
  gate: z
    .object({ passed: z.boolean(), reasons: z.array(z.string()) })
    .nullable()
    .meta({ description: 'null: not finished, or the policy fails on nothing' }),
});
export type PolicyScan = z.infer<typeof PolicyScan>;
