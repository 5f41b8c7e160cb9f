import type { HostAnswer, RateLimit } from '#shared/platform/outgoing/ask.ts';
import { HostError } from '#shared/platform/outgoing/host-error.ts';
import { entriesOf } from '#shared/platform/outgoing/pages.ts';
import type { Severity } from '#shared/reports/report/report.ts';
import type { Repository, RepositoryFacts } from '../repositories/repository.ts';

/** The facts that a host reports about a repository, always with its names. `at`: the time of the facts. */
export type AnnouncedFacts = Pick<RepositoryFacts, 'fullName' | 'name' | 'url'> & Partial<RepositoryFacts>;
export type AnnouncedRepository = {
  externalId: string;
  at: string;
  facts: AnnouncedFacts;
  status?: Repository['status'];
};

/** The head of a branch in a list of its host. `at`: of the list where the host reports pushes, otherwise of the commit. */
export type ListedBranch = {
  name: string;
  headCommit: string;
  headCommittedAt: string | null;
  protected: boolean;
  at: string;
};

/** A page of a list; `next` is the address of the next page. */
export type HostPage<T> = { items: T[]; next: string | undefined; etag: string | undefined };

/** The owner of the token, and its permissions, both from the host. */
type Identity = {
  identity: string;
  rights: string[];
  rateLimit: RateLimit | null;
};

/**
 * A token with which one repository can be cloned for a while. `revocation`: the argument with which `revoke` ends it
 * sooner; absent where the host needs the token itself for that.
 */
export type CloneToken = { username: string; token: string; expiresAt: string; revocation?: string };

type KnownRepository = Pick<Repository, 'externalId' | 'fullName'>;

/** A new problem at a line of the commit. */
export type Annotation = { path: string; line: number; severity: Severity; title: string; message: string };

/** The result of a scan for the scanned commit. Each part of it may be reported again. */
export type Verdict = {
  /** The scan. */
  id: string;
  commit: string;
  /** The name of the branch. */
  ref: string;
  pullRequest: number | null;
  state: 'pending' | 'passed' | 'failed' | 'cancelled';
  /** One line of text. */
  title: string;
  /** Markdown. */
  summary: string;
  link: string;
  annotations: readonly Annotation[];
  /** Later reports on the commit change the verdict: also one that is complete is brought up to date. */
  renews: boolean;
  /** Only new problems begin a comment, which is then kept up to date. */
  hasNew: boolean;
};

/** The questions of this service to a code host. Each function throws HostError. */
export type CodeHostApi = {
  whoAmI(): Promise<Identity>;
  /** The repositories of the account, oldest first: those made during the listing come last. */
  repositories(next: string | undefined): Promise<HostPage<AnnouncedRepository>>;
  repository(externalId: string): Promise<AnnouncedRepository>;
  /** @returns undefined where nothing changed since the answer with the etag */
  branches(
    repository: KnownRepository,
    page: { next?: string | undefined; etag?: string | undefined },
  ): Promise<HostPage<ListedBranch> | undefined>;
  /** @returns undefined where the kind of access gives no short-lived token */
  cloneToken(repository: KnownRepository): Promise<CloneToken | undefined>;
  /** Ends a clone token. A token that no longer exists is no failure. */
  revoke(revocation: string): Promise<void>;
  /** The number of the open pull request that brings the commit. */
  pullRequestOf(repository: KnownRepository, commit: string): Promise<number | null>;
  /** Shows a verdict at the commit, and in one comment at the pull request. */
  tell(repository: KnownRepository, verdict: Verdict): Promise<void>;
};

/** The name of verdicts at the code hosts. */
export const VERDICT_NAME = 'exposure management';

/** The valid entries of an answer, as a page. */
export const pageOf = <T>(
  { next, etag }: Pick<HostAnswer, 'next' | 'etag'>,
  listed: readonly unknown[],
  read: (one: unknown) => T | undefined,
): HostPage<T> => ({ items: entriesOf(listed).flatMap((one) => read(one) ?? []), next, etag });

/** @throws HostError */
export function orUnexpected<T>(read: T | undefined): T {
  if (read === undefined) throw new HostError('unexpected_answer', 'Its answer is not what its documentation says.');
  return read;
}
