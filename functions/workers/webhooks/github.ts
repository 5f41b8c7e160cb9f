import type { RepositoryFacts } from '#shared/entities/repository.ts';
import { fieldAt, listAt, numberAt, textAt, textsAt } from '#shared/reports/json.ts';
import { shortened } from '#shared/runtime/texts.ts';
import { importAlert } from './alerts.ts';
import { branchIn, commitOf, type Effect, type EventHandlers, type HostEvent, timeOf } from './event.ts';
import { type Access, keepAccess } from './keep-access.ts';
import { keepBranch } from './keep-branch.ts';
import { keepRepository, type Told, type ToldFacts } from './keep-repository.ts';
import { protectBranches } from './protect-branches.ts';

const NO_REPOSITORY = { ignored: 'it names no repository' };

/** The repository of an event, kept as the event tells of it. */
async function repositoryOf({ body, hosted }: HostEvent, status?: Told['status']) {
  const told = toldIn(fieldAt(body, 'repository'));
  return told && keepRepository(hosted, { ...told, ...(status && { status }) });
}

/** https://docs.github.com/rest/repos/repos#get-a-repository; a push writes some fields in other forms. */
function toldIn(value: unknown): Told | undefined {
  const [externalId, url, fullName] = [numberAt(value, 'id'), textAt(value, 'html_url'), textAt(value, 'full_name')];
  if (externalId === undefined || !url || !fullName) return undefined;
  const pushedAt = timeOf(fieldAt(value, 'pushed_at')) ?? null;
  const facts: ToldFacts = {
    ...{ fullName, url, pushedAt, visibility: visibilityOf(value), archived: fieldAt(value, 'archived') === true },
    name: textAt(value, 'name') ?? fullName,
    description: shortened(textAt(value, 'description') ?? '', 2000) || null,
    defaultBranch: textAt(value, 'default_branch') ?? null,
    language: textAt(value, 'language') ?? null,
    topics: textsAt(value, 'topics').slice(0, 100),
  };
  return { externalId: String(externalId), at: timeOf(fieldAt(value, 'updated_at')) ?? '', facts };
}

function visibilityOf(value: unknown): RepositoryFacts['visibility'] {
  const named = textAt(value, 'visibility');
  if (named === 'public' || named === 'internal' || named === 'private') return named;
  return fieldAt(value, 'private') === false ? 'public' : 'private';
}

const keepsRepository =
  (effect: string, status?: Told['status']) =>
  async (event: HostEvent): Promise<Effect> =>
    (await repositoryOf(event, status)) ? [effect] : NO_REPOSITORY;

async function push(event: HostEvent): Promise<Effect> {
  const { body, hosted } = event;
  const repository = await repositoryOf(event);
  if (!repository) return NO_REPOSITORY;
  const name = branchIn(textAt(body, 'ref'));
  if (name === undefined) return ['repository_kept'];
  const isDeleted = fieldAt(body, 'deleted') === true;
  await keepBranch(hosted, repository, {
    ...{ name, isDeleted, isPushTime: true },
    at: timeOf(fieldAt(body, 'repository', 'pushed_at')) ?? hosted.receivedAt,
    headCommit: commitOf(textAt(body, 'after')),
    formerCommit: commitOf(textAt(body, 'before')),
    headCommittedAt: timeOf(fieldAt(body, 'head_commit', 'timestamp')) ?? null,
  });
  return ['repository_kept', isDeleted ? 'branch_deleted' : 'branch_kept'];
}

/** A branch that was made or deleted in the web page; a push tells the same with its commit. */
const refChange =
  (isDeleted: boolean) =>
  async (event: HostEvent): Promise<Effect> => {
    const { body, hosted } = event;
    const repository = await repositoryOf(event);
    const name = textAt(body, 'ref');
    if (!repository || !name) return NO_REPOSITORY;
    if (textAt(body, 'ref_type') !== 'branch') return ['repository_kept'];
    const at = timeOf(fieldAt(body, 'repository', 'pushed_at')) ?? hosted.receivedAt;
    const commits = { headCommit: null, formerCommit: null, headCommittedAt: null };
    await keepBranch(hosted, repository, { name, at, isPushTime: true, isDeleted, ...commits });
    return ['repository_kept', isDeleted ? 'branch_deleted' : 'branch_kept'];
  };

/** The repositories of an installation that it may read, or may not read any more. */
const access =
  (list: string, given: Access) =>
  async ({ body, hosted }: HostEvent): Promise<Effect> => {
    for (const one of listAt(body, list)) {
      const [id, fullName] = [numberAt(one, 'id'), textAt(one, 'full_name')];
      const isPrivate = fieldAt(one, 'private') !== false;
      if (id !== undefined && fullName)
        await keepAccess(hosted, { externalId: String(id), fullName, isPrivate }, given);
    }
    return [given === 'active' ? 'repositories_added' : 'repositories_removed'];
  };

async function protection(event: HostEvent): Promise<Effect> {
  const { body, hosted } = event;
  const repository = await repositoryOf(event);
  const pattern = textAt(body, 'rule', 'name');
  if (!repository || !pattern) return NO_REPOSITORY;
  await protectBranches(hosted.table, { repositoryId: repository.id, pattern }, textAt(body, 'action') !== 'deleted');
  return ['branches_protected'];
}

const OPEN_ALERT = ['created', 'reopened', 'appeared_in_branch', 'reintroduced', 'auto_reopened', 'reopened_by_user'];

async function alert(event: HostEvent): Promise<Effect> {
  const repository = await repositoryOf(event);
  if (!repository) return NO_REPOSITORY;
  if (!OPEN_ALERT.includes(textAt(event.body, 'action') ?? ''))
    return { ignored: 'the alert is closed: a scan or a report without the problem closes its finding' };
  await importAlert(event, repository, textAt(event.body, 'ref'));
  return ['alert_imported'];
}

/** Events of GitHub by name: https://docs.github.com/webhooks/webhook-events-and-payloads */
export const githubEvents: EventHandlers = {
  ping: async () => ['connected'],
  push,
  create: refChange(false),
  delete: refChange(true),
  repository: keepsRepository('repository_kept'),
  'repository.deleted': keepsRepository('repository_deleted', 'deleted'),
  public: keepsRepository('repository_kept'),
  pull_request: keepsRepository('repository_kept'),
  'installation.created': access('repositories', 'active'),
  'installation.unsuspend': access('repositories', 'active'),
  'installation.deleted': access('repositories', 'inaccessible'),
  'installation.suspend': access('repositories', 'inaccessible'),
  'installation_repositories.added': access('repositories_added', 'active'),
  'installation_repositories.removed': access('repositories_removed', 'inaccessible'),
  branch_protection_rule: protection,
  code_scanning_alert: alert,
  dependabot_alert: alert,
};
