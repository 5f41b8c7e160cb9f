import * as z from 'zod';
import { refName } from '#shared/assets/targets/repository.ts';
import type { CodeHost } from '#shared/code/integrations/integration.ts';
import type { TrustedPublisher } from '#shared/code/integrations/trusted-publisher.ts';
import { fitsRefs } from '#shared/findings/branches/bound.ts';
import type { Bound } from '#shared/platform/auth/permissions.ts';

/** A CI job, by the word of the host of its repository. */
export type Job = {
  repository: string;
  repositoryId: string;
  environment: string | undefined;
  sha: string | undefined;
  event: string;
} & ({ isRequest: true; ref: string; base: string | undefined } | { isRequest: false; ref: string });

const Text = z.string().min(1).max(500);
const HostId = z.union([z.string().regex(/^\d+$/), z.int().transform(String)]);
const common = { environment: Text.optional(), sha: Text.optional() };

const GithubClaims = z.object({
  ...common,
  repository: Text,
  repository_id: HostId,
  ref: Text,
  event_name: Text,
  base_ref: z.string().max(500).optional(),
});

const GitlabClaims = z.object({
  ...common,
  project_path: Text,
  project_id: HostId,
  ref_path: Text,
  pipeline_source: Text,
});

/** The claims of a token as a job; undefined for a token that is of no job. */
export const readJob: Record<CodeHost, (claims: unknown) => Job | undefined> = {
  codehost_a(claims) {
    const { data } = GithubClaims.safeParse(claims);
    if (!data) return undefined;
    const { repository, repository_id: repositoryId, ref, event_name: event, base_ref: base, environment, sha } = data;
    const common = { repository, repositoryId, event, environment, sha, ref };
    return event === 'pull_request'
      ? { ...common, isRequest: true, base: base || undefined }
      : { ...common, isRequest: false };
  },
  codehost_b(claims) {
    const { data } = GitlabClaims.safeParse(claims);
    if (!data) return undefined;
    const {
      project_path: repository,
      project_id: repositoryId,
      ref_path: ref,
      pipeline_source: event,
      environment,
      sha,
    } = data;
    const common = { repository, repositoryId, event, environment, sha, ref };
    return ref.startsWith('refs/merge-requests/')
      ? { ...common, isRequest: true, base: undefined }
      : { ...common, isRequest: false };
  },
};

/** Events whose job runs the code of the branch that the token names. Jobs of others, such as pull_request_target, work on foreign code with the name of main. */
const GITHUB_EVENTS = ['push', 'pull_request', 'merge_group', 'schedule', 'workflow_dispatch', 'delete'];
const REQUEST = /^refs\/(?:pull\/\d+\/merge|merge-requests\/\d+\/(?:head|merge|train))$/;

/** The bounds of the token that a publisher gives a job, or the reason of a refusal. */
export function boundsOf(
  publisher: TrustedPublisher,
  job: Job,
  repository: string,
): { bound: Bound } | { refused: string } {
  const { refs, pullRequests, environment, endsBranches } = publisher;
  if (environment !== null && job.environment !== environment)
    return { refused: `The publisher trusts only jobs of the environment ${environment}.` };
  if (publisher.kind === 'codehost_a' && !GITHUB_EVENTS.includes(job.event))
    return { refused: `Jobs of the event ${job.event} get no token: use ${GITHUB_EVENTS.join(', ')}.` };
  const repositories = [repository];
  const ends = endsBranches
    ? { bound: { repositories, refs: [], endsBranches } }
    : { refused: 'The publisher does not let jobs end branches (endsBranches).' };
  if (job.isRequest) {
    if (!pullRequests) return { refused: 'The publisher does not trust pull requests (pullRequests).' };
    const bases = job.base === undefined ? refs : [refName(job.base)];
    if (REQUEST.test(job.ref)) return { bound: { repositories, refs: [refName(job.ref)], bases } };
    // a pull request that was merged: the job has the name of the branch that it went to
    return job.ref.startsWith('refs/heads/') ? ends : { refused: `${job.ref} is not the branch of a pull request.` };
  }
  const ref = refName(job.ref);
  if (!job.ref.startsWith('refs/heads/') || !fitsRefs({ refs }, ref))
    return { refused: `The publisher trusts only jobs of the branches ${refs.join(', ')}, not of ${job.ref}.` };
  const isDeleted = job.event === 'delete' && publisher.kind === 'codehost_a';
  return isDeleted ? ends : { bound: { repositories, refs: [ref] } };
}
