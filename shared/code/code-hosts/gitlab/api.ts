import { askHost, askIfChanged, type HostAddress, type Reach, rateLimitOf } from '#shared/platform/outgoing/ask.ts';
import { HostError } from '#shared/platform/outgoing/host-error.ts';
import { path } from '#shared/platform/outgoing/path.ts';
import { timeOf } from '#shared/platform/outgoing/reported-time.ts';
import { DAY_MS, now, nowMs } from '#shared/platform/runtime/clock.ts';
import { shortened } from '#shared/platform/runtime/texts.ts';
import { fieldAt, listAt, numberAt, textAt, textsAt } from '#shared/reports/readers/json.ts';
import {
  type AnnouncedRepository,
  type CloneToken,
  type CodeHostApi,
  type ListedBranch,
  orUnexpected,
  pageOf,
} from '../code-host.ts';
import { tellGitlab } from './verdict.ts';

type Account = Reach & Pick<HostAddress, 'record'> & { account: string; baseUrl: string | null };

/** GitLab by its REST interface: https://docs.gitlab.com/api/rest/ */
export function gitlab({ account, baseUrl, ...reach }: Account, token: string): CodeHostApi {
  const api = `${baseUrl ?? 'https://gitlab.com'}/api/v4/`;
  const host: HostAddress = { ...reach, api, headers: { 'private-token': token } };
  return {
    whoAmI: () => whoAmI(host),
    async repositories(next) {
      const askedAt = now();
      const answer = await askHost(host, { path: next ?? (await listOf(host, account)) });
      return pageOf(answer, listAt(answer, 'body'), (one) => projectIn(one, askedAt));
    },
    async repository(externalId) {
      const askedAt = now();
      const { body } = await askHost(host, { path: path`projects/${externalId}` });
      return orUnexpected(projectIn(body, askedAt));
    },
    async branches({ externalId }, { next, etag }) {
      const list = next ?? path`projects/${externalId}/repository/branches?per_page=100`;
      const answer = await askIfChanged(host, { path: list, etag });
      return answer && pageOf(answer, listAt(answer, 'body'), branchIn);
    },
    pullRequestOf: ({ externalId }, commit) => mergeRequestWith(host, externalId, commit),
    tell: ({ externalId }, verdict) => tellGitlab({ host, externalId }, verdict),
    cloneToken: ({ externalId }) => projectToken(host, externalId),
    async revoke(revocation) {
      await askHost(host, { method: 'DELETE', path: revocation }).catch(unlessMissing);
    },
  };
}

/** https://docs.gitlab.com/api/commits/#list-merge-requests-associated-with-a-commit */
async function mergeRequestWith(host: HostAddress, externalId: string, commit: string): Promise<number | null> {
  const { body } = await askHost(host, {
    path: path`projects/${externalId}/repository/commits/${commit}/merge_requests`,
  });
  const open = listAt(body).find((one) => textAt(one, 'state') === 'opened');
  return numberAt(open, 'iid') ?? null;
}

/** https://docs.gitlab.com/api/personal_access_tokens/; tokens of groups and projects are asked in the same way. */
async function whoAmI(host: HostAddress) {
  const { body: user } = await askHost(host, { path: 'user' });
  const { body, headers } = await askHost(host, { path: 'personal_access_tokens/self' });
  return {
    identity: textAt(user, 'username') ?? 'an unnamed user',
    rights: textsAt(body, 'scopes'),
    rateLimit: rateLimitOf(headers),
  };
}

const ORDER = 'order_by=id&sort=asc&per_page=100';

/** The list of the projects of a group with those below it, or of a user. */
async function listOf(host: HostAddress, account: string): Promise<string> {
  const group = path`groups/${account}`;
  const isGroup = await askHost(host, { path: `${group}?with_projects=false` }).catch(unlessMissing);
  if (isGroup) return `${group}/projects?include_subgroups=true&${ORDER}`;
  const { body } = await askHost(host, { path: path`users?username=${account}` });
  const user = numberAt(body, 0, 'id');
  if (user === undefined)
    throw new HostError('not_found', `It has no group or user ${account} that the token may see.`);
  return `users/${user}/projects?${ORDER}`;
}

function unlessMissing(error: unknown): undefined {
  if (error instanceof HostError && error.code === 'not_found') return;
  throw error;
}

/**
 * https://docs.gitlab.com/api/projects/; not all releases report when a project changed, so its time is the time of the
 * request.
 */
function projectIn(value: unknown, askedAt: string): AnnouncedRepository | undefined {
  const [id, url, fullName] = [numberAt(value, 'id'), textAt(value, 'web_url'), textAt(value, 'path_with_namespace')];
  if (id === undefined || !url || !fullName) return undefined;
  const named = textAt(value, 'visibility');
  return {
    externalId: String(id),
    at: askedAt,
    facts: {
      fullName,
      url,
      name: textAt(value, 'name') ?? fullName,
      description: shortened(textAt(value, 'description') ?? '', 2000) || null,
      defaultBranch: textAt(value, 'default_branch') ?? null,
      visibility: named === 'public' || named === 'internal' ? named : 'private',
      archived: fieldAt(value, 'archived') === true,
      topics: textsAt(value, 'topics').slice(0, 100),
    },
  };
}

/** https://docs.gitlab.com/api/branches/ */
function branchIn(value: unknown): ListedBranch | undefined {
  const [name, headCommit] = [textAt(value, 'name'), textAt(value, 'commit', 'id')];
  if (!name || !headCommit) return undefined;
  const headCommittedAt = timeOf(fieldAt(value, 'commit', 'committed_date')) ?? null;
  const isProtected = fieldAt(value, 'protected') === true;
  return { name, headCommit, headCommittedAt, protected: isProtected, at: headCommittedAt ?? now() };
}

/** The role that may read code: https://docs.gitlab.com/api/project_access_tokens/ */
const REPORTER = 20;

/** Tokens of projects end at the beginning of a day in UTC; the one after next leaves every scan its time. */
async function projectToken(host: HostAddress, externalId: string): Promise<CloneToken> {
  const tokens = path`projects/${externalId}/access_tokens`;
  const day = new Date(nowMs() + 2 * DAY_MS).toISOString().slice(0, 10);
  const wanted = { name: 'clone for a scan', scopes: ['read_repository'], access_level: REPORTER, expires_at: day };
  const { body } = await askHost(host, { method: 'POST', path: tokens, body: wanted });
  const [token, id] = [textAt(body, 'token'), numberAt(body, 'id')];
  if (!token || id === undefined) throw new HostError('unexpected_answer', 'It answers no token for the project.');
  return { username: 'oauth2', token, expiresAt: `${day}T00:00:00.000Z`, revocation: `${tokens}/${id}` };
}
