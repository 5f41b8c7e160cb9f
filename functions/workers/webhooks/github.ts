import type { EventPayloadMap, PullRequestEditedEvent } from '@octokit/webhooks-types';
import type { AnnouncedRepository } from '#shared/code/code-hosts/code-host.ts';
import { githubRepository } from '#shared/code/code-hosts/github/repository.ts';
import { pathsOf } from '#shared/code/integrations/payload.ts';
import type { Repository } from '#shared/code/repositories/repository.ts';
import { type Access, keepAccess } from '#shared/code/sync/keep-access.ts';
import { keepBranch } from '#shared/code/sync/keep-branch.ts';
import { keepRepository } from '#shared/code/sync/keep-repository.ts';
import { protectBranches } from '#shared/code/sync/protect-branches.ts';
import { timeOf } from '#shared/platform/outgoing/reported-time.ts';
import { fieldAt, listAt, numberAt, textAt } from '#shared/reports/readers/json.ts';
import { importAlert } from './alerts.ts';
import { branchIn, commitOf, type Effect, type EventHandler, type HostEvent } from './event.ts';
import { repositoriesIn } from './repositories-in.ts';
import { endPullRequest, type Proposed, scanPullRequest, scanPush } from './scan.ts';

const pushed = pathsOf<EventPayloadMap['push']>();
const proposal = pathsOf<EventPayloadMap['pull_request']>();
const edited = pathsOf<PullRequestEditedEvent>();
const alerted = pathsOf<EventPayloadMap['code_scanning_alert' | 'dependabot_alert' | 'secret_scanning_alert']>();
const changedRef = pathsOf<EventPayloadMap['create' | 'delete']>();
const installed = pathsOf<EventPayloadMap['installation']>();
const ruled = pathsOf<EventPayloadMap['branch_protection_rule']>();

const NO_REPOSITORY = { ignored: 'it names no repository' };

/** The repository of an event, kept as the event reports it. */
async function repositoryOf({ body, hosted }: HostEvent, status?: AnnouncedRepository['status']) {
  const reported = githubRepository(fieldAt(body, 'repository'));
  return reported && keepRepository(hosted, { ...reported, ...(status && { status }) });
}

const keepsRepository =
  (effect: string, status?: AnnouncedRepository['status']) =>
  async (event: HostEvent): Promise<Effect> =>
    (await repositoryOf(event, status)) ? [effect] : NO_REPOSITORY;

async function push(event: HostEvent): Promise<Effect> {
  const { body, hosted } = event;
  const repository = await repositoryOf(event);
  if (!repository) return NO_REPOSITORY;
  const name = branchIn(textAt(body, ...pushed('ref')));
  if (name === undefined) return ['repository_kept'];
  const isDeleted = fieldAt(body, ...pushed('deleted')) === true;
  const commit = commitOf(textAt(body, ...pushed('after')));
  const branch = await keepBranch(hosted, repository, {
    name,
    isDeleted,
    isPushTime: true,
    headCommit: commit,
    at: timeOf(fieldAt(body, ...pushed('repository', 'pushed_at'))) ?? hosted.receivedAt,
    formerCommit: commitOf(textAt(body, ...pushed('before'))),
    headCommittedAt: timeOf(fieldAt(body, ...pushed('head_commit', 'timestamp'))) ?? null,
  });
  const scanned = await scanPush(hosted, { repository, branch, commit });
  return ['repository_kept', isDeleted ? 'branch_deleted' : 'branch_kept', ...scanned];
}

/** https://docs.github.com/webhooks/webhook-events-and-payloads#pull_request */
const pullRequest =
  (act: typeof scanPullRequest) =>
  async (event: HostEvent): Promise<Effect> => {
    const repository = await repositoryOf(event);
    if (!repository) return NO_REPOSITORY;
    const proposed = proposedIn(event, repository);
    return ['repository_kept', ...(proposed ? await act(event.hosted, repository, proposed) : [])];
  };

/** A push to a fork is no push to the repository, so only the pull request has its time. */
function proposedIn({ body, hosted }: HostEvent, { externalId }: Repository): Proposed | undefined {
  const number = numberAt(body, ...proposal('number'));
  const name = textAt(body, ...proposal('pull_request', 'head', 'ref'));
  const headCommit = textAt(body, ...proposal('pull_request', 'head', 'sha'));
  const base = textAt(body, ...proposal('pull_request', 'base', 'ref'));
  if (!number || !name || !headCommit || !base) return undefined;
  const isOfFork = String(numberAt(body, ...proposal('pull_request', 'head', 'repo', 'id'))) !== externalId;
  const time = isOfFork ? proposal('pull_request', 'updated_at') : proposal('repository', 'pushed_at');
  const at = timeOf(fieldAt(body, ...time)) ?? hosted.receivedAt;
  const formerCommit = commitOf(textAt(body, ...proposal('before')));
  const head = { name, headCommit, formerCommit, headCommittedAt: null, at, isPushTime: true };
  return { number, base, formerBase: textAt(body, ...edited('changes', 'base', 'ref', 'from')), isOfFork, head };
}

/** A branch that was made or deleted on the web page; a push reports the same with its commit. */
const refChange =
  (isDeleted: boolean) =>
  async (event: HostEvent): Promise<Effect> => {
    const { body, hosted } = event;
    const repository = await repositoryOf(event);
    const name = textAt(body, ...changedRef('ref'));
    if (!repository || !name) return NO_REPOSITORY;
    if (textAt(body, ...changedRef('ref_type')) !== 'branch') return ['repository_kept'];
    const at = timeOf(fieldAt(body, ...changedRef('repository', 'pushed_at'))) ?? hosted.receivedAt;
    const commits = { headCommit: null, formerCommit: null, headCommittedAt: null };
    await keepBranch(hosted, repository, { name, at, isPushTime: true, isDeleted, ...commits });
    return ['repository_kept', isDeleted ? 'branch_deleted' : 'branch_kept'];
  };

type Accessed = Parameters<typeof keepAccess>[1];

function accessedIn(one: unknown): Accessed[] {
  const [id, fullName] = [numberAt(one, 'id'), textAt(one, 'full_name')];
  const isPrivate = fieldAt(one, 'private') !== false;
  return id !== undefined && fullName ? [{ externalId: String(id), fullName, isPrivate }] : [];
}

/**
 * The repositories that an installation may now read, or may no longer read: all known repositories of its account
 * where the event names none.
 */
const access =
  (list: 'repositories' | 'repositories_added' | 'repositories_removed', given: Access) =>
  async ({ body, hosted }: HostEvent): Promise<Effect> => {
    const account = textAt(body, ...installed('installation', 'account', 'login'));
    const isWhole = list === 'repositories' && fieldAt(body, list) === undefined && account !== undefined;
    const named = isWhole ? await knownIn(hosted, account) : listAt(body, list).flatMap(accessedIn);
    for (const one of named) await keepAccess(hosted, one, given);
    return [given === 'active' ? 'repositories_added' : 'repositories_removed'];
  };

async function knownIn(hosted: HostEvent['hosted'], account: string): Promise<Accessed[]> {
  const known = await repositoriesIn(hosted, account);
  return known.map(({ visibility, ...one }) => ({ ...one, isPrivate: visibility === 'private' }));
}

async function protection(event: HostEvent): Promise<Effect> {
  const { body, hosted } = event;
  const repository = await repositoryOf(event);
  const pattern = textAt(body, ...ruled('rule', 'name'));
  if (!repository || !pattern) return NO_REPOSITORY;
  await protectBranches(
    hosted.table,
    { repositoryId: repository.id, pattern },
    textAt(body, ...ruled('action')) !== 'deleted',
  );
  return ['branches_protected'];
}

const FIRST = ['created', 'appeared_in_branch'];
const OPEN = [...FIRST, 'reopened', 'reintroduced', 'auto_reopened', 'reopened_by_user'];
/** The host saw that the problem is gone; a dismissal is a person's decision on the host. */
const FIXED = ['fixed', 'resolved'];

/** An alert of code scanning, of Dependabot, or on a secret. */
async function alert(event: HostEvent): Promise<Effect> {
  const repository = await repositoryOf(event);
  if (!repository) return NO_REPOSITORY;
  const { body } = event;
  const action = textAt(body, ...alerted('action')) ?? '';
  const { secret: _secret, ...reported } = Object(fieldAt(body, ...alerted('alert')));
  const isDismissed = event.event === 'secret_scanning_alert' && textAt(reported, 'resolution') !== 'revoked';
  const isFixed = FIXED.includes(action) && !isDismissed;
  if (!isFixed && !OPEN.includes(action))
    return { ignored: `${action}: decide on its finding here; a scan or a report without the problem closes it` };
  return importAlert(event, repository, {
    name: `${event.event}-${numberAt(reported, 'number')}`,
    ref: textAt(body, ...alerted('ref')),
    isOpen: !isFixed,
    isFirst: FIRST.includes(action),
    at: timeOf(fieldAt(reported, 'updated_at')),
    report: {
      format: 'github-alerts',
      content: [{ ...reported, repository: fieldAt(body, ...alerted('repository')) }],
    },
  });
}

type ActionOf<P> = P extends { action: infer A extends string } ? A : never;
type EventName = keyof EventPayloadMap;
/** The name of an event, or of an event with an action, as in GitHub's own types. */
type GithubEvent = { [E in EventName]: E | `${E}.${ActionOf<EventPayloadMap[E]>}` }[EventName];

/** Events of GitHub by name: https://docs.github.com/webhooks/webhook-events-and-payloads */
export const githubEvents: Readonly<Partial<Record<GithubEvent, EventHandler>>> = {
  ping: async () => ['connected'],
  push,
  create: refChange(false),
  delete: refChange(true),
  repository: keepsRepository('repository_kept'),
  'repository.deleted': keepsRepository('repository_deleted', 'deleted'),
  public: keepsRepository('repository_kept'),
  pull_request: keepsRepository('repository_kept'),
  'pull_request.opened': pullRequest(scanPullRequest),
  'pull_request.reopened': pullRequest(scanPullRequest),
  'pull_request.synchronize': pullRequest(scanPullRequest),
  'pull_request.edited': pullRequest(scanPullRequest),
  'pull_request.closed': pullRequest(endPullRequest),
  'installation.created': access('repositories', 'active'),
  'installation.unsuspend': access('repositories', 'active'),
  'installation.deleted': access('repositories', 'inaccessible'),
  'installation.suspend': access('repositories', 'inaccessible'),
  'installation_repositories.added': access('repositories_added', 'active'),
  'installation_repositories.removed': access('repositories_removed', 'inaccessible'),
  branch_protection_rule: protection,
  code_scanning_alert: alert,
  dependabot_alert: alert,
  secret_scanning_alert: alert,
};
