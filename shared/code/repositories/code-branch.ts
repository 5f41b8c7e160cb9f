import * as z from 'zod';
import { Id, readOnly, recordFields, Timestamp } from '#shared/platform/http/records.ts';
import { defineEntity } from '#shared/platform/table/entity.ts';
import { PolicyScan } from '#shared/scanning/scanner-tasks/code-scan.ts';
import { CODE_HOSTS, type CodeHost } from '../integrations/integration.ts';

/** A branch at its code host. Scans of it are in `shared/findings/branches/branch.ts`. */
export const CodeBranch = z.object({
  ...recordFields,
  repositoryId: readOnly(Id),
  vendor: readOnly(z.enum(CODE_HOSTS)),
  name: readOnly(z.string().max(300)),
  headCommit: readOnly(z.string().max(64).nullable()),
  headCommittedAt: readOnly(Timestamp.nullable()),
  forkPullRequest: readOnly(
    z.int().positive().nullish().meta({
      description: 'the number of the pull request of a fork, if this is its head; null: a branch of the repository',
    }),
  ),
  /** The commit before the last push, by which pushes of one second are put in order. */
  formerCommit: z.string().max(64).nullable(),
  /** When the state held: the time of the push. */
  factsAt: Timestamp,
  protected: readOnly(z.boolean().meta({ description: 'at the code host' })),
  status: readOnly(z.enum(['active', 'deleted'])),
  protectedHere: z.boolean().nullable().default(null).meta({ description: 'null: the value of the code host' }),
  scanOnPush: z.boolean().nullable().default(null).meta({ description: "null: the value of the repository's policy" }),
  policyScan: readOnly(
    PolicyScan.nullish().meta({ description: "the last scan that the repository's policy started" }),
  ),
  tags: z.array(z.string().min(1).max(120)).max(50).default([]),
});
export type CodeBranch = z.infer<typeof CodeBranch>;

/** The unique text of a branch. */
export const codeBranchPlace = ({ repositoryId, name }: Pick<CodeBranch, 'repositoryId' | 'name'>): string =>
  `${repositoryId}#${name}`;

type Head = Pick<CodeBranch, 'name' | 'forkPullRequest'>;

const PROPOSALS: Record<CodeHost, string> = { codehost_a: 'pull', codehost_b: 'merge-requests' };

/** The name of the head of a fork's pull request, as findings have it (`refName`). */
export const forkHeadName = (vendor: CodeHost, number: number): string => `${PROPOSALS[vendor]}/${number}`;

/**
 * The ref by which the head is fetched from its repository. The head of a fork's pull request is there as well, so that nobody
 * asks the fork: https://docs.github.com/pull-requests, "checking out pull requests locally"; docs.gitlab.com, "merge request refs".
 */
export const fetchedRef = ({ name, forkPullRequest }: Head): string =>
  forkPullRequest == null ? name : `refs/${name}/head`;

export const codeBranches = defineEntity(CodeBranch, {
  name: 'code-branch',
  feedFields: ['repositoryId', 'vendor', 'name', 'headCommit', 'protected', 'status', 'protectedHere', 'scanOnPush'],
  search: ({ name }) => [name],
  /** The branches that a repository has. */
  tallies: ({ repositoryId, status }) => (status === 'active' ? [{ facet: 'repository', value: repositoryId }] : []),
  indexed: ({ repositoryId, status }) => ({ repository: repositoryId, status }),
  unique: (branch) => ({ place: codeBranchPlace(branch) }),
});
