import type { AnnouncedFacts, AnnouncedRepository } from '#shared/code/code-hosts/code-host.ts';
import { keepBranch } from '#shared/code/sync/keep-branch.ts';
import { keepRepository } from '#shared/code/sync/keep-repository.ts';
import { timeOf } from '#shared/platform/outgoing/reported-time.ts';
import { shortened } from '#shared/platform/runtime/texts.ts';
import { fieldAt, type JsonObject, listAt, numberAt, textAt } from '#shared/reports/readers/json.ts';
import { branchIn, commitOf, type Effect, type EventHandlers, type HostEvent } from './event.ts';
import { vulnerability } from './gitlab-vulnerability.ts';
import { repositoriesIn } from './repositories-in.ts';
import { endPullRequest, scanPullRequest, scanPush } from './scan.ts';

const renamed =
  ([was, is]: [string, string], effect: string) =>
  async ({ body, hosted }: HostEvent): Promise<Effect> => {
    const [from, to] = [textAt(body, was), textAt(body, is)];
    if (!from || !to) return { ignored: 'it names no group' };
    for (const { externalId, fullName, name } of await repositoriesIn(hosted, from)) {
      const path = `${to}${fullName.slice(from.length)}`;
      const facts = { fullName: path, name, url: `https://${hosted.host}/${path}` };
      await keepRepository(hosted, { externalId, at: hosted.receivedAt, facts });
    }
    return [effect];
  };

/** A group or a user with another path: their projects have one, too. https://docs.gitlab.com/administration/system_hooks/ */
const renameGroup = renamed(['old_full_path', 'full_path'], 'group_renamed');
const renameUser = renamed(['old_username', 'username'], 'user_renamed');

/** Deletes the projects of a deleted group. */
async function deleteGroup({ body, hosted }: HostEvent): Promise<Effect> {
  const path = textAt(body, 'full_path');
  if (!path) return { ignored: 'it names no group' };
  for (const { externalId, fullName, name, url } of await repositoriesIn(hosted, path)) {
    const facts = { fullName, name, url };
    await keepRepository(hosted, { externalId, at: hosted.receivedAt, facts, status: 'deleted' });
  }
  return ['group_deleted'];
}

const NO_PROJECT = { ignored: 'it names no project' };

const VISIBILITIES = { 0: 'private', 10: 'internal', 20: 'public' } as const;

/**
 * The `project` of a webhook: https://docs.gitlab.com/user/project/integrations/webhook_events/. A push of a system
 * hook has its id beside it.
 */
function projectIn(body: JsonObject, receivedAt: string): AnnouncedRepository | undefined {
  const project = fieldAt(body, 'project');
  const [id, url, fullName] = [
    numberAt(project, 'id') ?? numberAt(body, 'project_id'),
    textAt(project, 'web_url'),
    textAt(project, 'path_with_namespace'),
  ];
  if (id === undefined || !url || !fullName) return undefined;
  const level = numberAt(project, 'visibility_level') ?? 0;
  const facts: AnnouncedFacts = {
    fullName,
    url,
    name: textAt(project, 'name') ?? fullName,
    description: shortened(textAt(project, 'description') ?? '', 2000) || null,
    defaultBranch: textAt(project, 'default_branch') ?? null,
    visibility: level === 20 || level === 10 ? VISIBILITIES[level] : VISIBILITIES[0],
  };
  return { externalId: String(id), at: receivedAt, facts };
}

/** An event of the system or of a group's projects, which has the project's fields itself: https://docs.gitlab.com/administration/system_hooks/ */
function systemProjectIn(body: JsonObject, host: string): AnnouncedRepository | undefined {
  const [id, fullName] = [numberAt(body, 'project_id'), textAt(body, 'path_with_namespace')];
  if (id === undefined || !fullName) return undefined;
  const named = textAt(body, 'project_visibility');
  const visibility = named === 'public' || named === 'internal' ? named : 'private';
  const facts = {
    fullName,
    name: textAt(body, 'name') ?? fullName,
    url: `https://${host}/${fullName}`,
    visibility,
  } as const;
  return { externalId: String(id), at: timeOf(fieldAt(body, 'updated_at')) ?? '', facts };
}

const keepsSystemProject =
  (effect: string, status?: AnnouncedRepository['status']) =>
  async ({ body, hosted }: HostEvent): Promise<Effect> => {
    const reported = systemProjectIn(body, hosted.host);
    if (!reported) return NO_PROJECT;
    await keepRepository(hosted, { ...reported, ...(status && { status }) });
    return [effect];
  };

async function keepsProject({ body, hosted }: HostEvent): Promise<Effect> {
  const reported = projectIn(body, hosted.receivedAt);
  if (!reported) return NO_PROJECT;
  await keepRepository(hosted, reported);
  return ['repository_kept'];
}

async function push({ body, hosted }: HostEvent): Promise<Effect> {
  const reported = projectIn(body, hosted.receivedAt);
  const name = branchIn(textAt(body, 'ref'));
  if (!reported || name === undefined) return NO_PROJECT;
  const repository = await keepRepository(hosted, reported);
  const headCommit = commitOf(textAt(body, 'after'));
  const head = listAt(body, 'commits').find((commit) => textAt(commit, 'id') === headCommit);
  const headCommittedAt = timeOf(fieldAt(head, 'timestamp')) ?? null;
  const isDeleted = headCommit === null;
  const isProtected = fieldAt(body, 'ref_protected');
  const branch = await keepBranch(hosted, repository, {
    name,
    isDeleted,
    isPushTime: false,
    headCommit,
    headCommittedAt,
    at: headCommittedAt ?? hosted.receivedAt,
    formerCommit: commitOf(textAt(body, 'before')),
    ...(typeof isProtected === 'boolean' && { protected: isProtected }),
  });
  const scanned = await scanPush(hosted, { repository, branch, commit: headCommit });
  return ['repository_kept', isDeleted ? 'branch_deleted' : 'branch_kept', ...scanned];
}

/** The effect of a merge request's action. Others change nothing. */
const REQUESTS = new Map([
  ['open', scanPullRequest],
  ['reopen', scanPullRequest],
  ['update', scanPullRequest],
  ['close', endPullRequest],
  ['merge', endPullRequest],
]);

/** https://docs.gitlab.com/user/project/integrations/webhook_events/#merge-request-events */
async function mergeRequest({ body, hosted }: HostEvent): Promise<Effect> {
  const reported = projectIn(body, hosted.receivedAt);
  if (!reported) return NO_PROJECT;
  const repository = await keepRepository(hosted, reported);
  const proposed = fieldAt(body, 'object_attributes');
  const [number, name] = [numberAt(proposed, 'iid'), textAt(proposed, 'source_branch')];
  const [base, headCommit] = [textAt(proposed, 'target_branch'), textAt(proposed, 'last_commit', 'id')];
  const act = REQUESTS.get(textAt(proposed, 'action') ?? '');
  if (!act || !number || !name || !base || !headCommit) return ['repository_kept'];
  const isOfFork = numberAt(proposed, 'source_project_id') !== numberAt(proposed, 'target_project_id');
  const headCommittedAt = timeOf(fieldAt(proposed, 'last_commit', 'timestamp')) ?? null;
  const changedAt = isOfFork ? timeOf(fieldAt(proposed, 'updated_at')) : undefined;
  const formerBase = textAt(body, 'changes', 'target_branch', 'previous');
  const head = {
    name,
    headCommit,
    headCommittedAt,
    formerCommit: commitOf(textAt(proposed, 'oldrev')),
    at: changedAt ?? headCommittedAt ?? hosted.receivedAt,
    isPushTime: changedAt !== undefined,
  };
  return ['repository_kept', ...(await act(hosted, repository, { number, base, formerBase, isOfFork, head }))];
}

/** Events of GitLab by `object_kind`, or by the `event_name` of an event of the system. */
export const gitlabEvents: EventHandlers = {
  push,
  tag_push: keepsProject,
  merge_request: mergeRequest,
  vulnerability,
  group_rename: renameGroup,
  user_rename: renameUser,
  group_destroy: deleteGroup,
  subgroup_destroy: deleteGroup,
  project_create: keepsSystemProject('repository_kept'),
  project_update: keepsSystemProject('repository_kept'),
  project_rename: keepsSystemProject('repository_kept'),
  project_transfer: keepsSystemProject('repository_kept'),
  project_destroy: keepsSystemProject('repository_deleted', 'deleted'),
};
