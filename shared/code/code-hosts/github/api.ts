import {
  askHost,
  askIfChanged,
  type HostAddress,
  type HostAnswer,
  type Reach,
  rateLimitOf,
} from '#shared/platform/outgoing/ask.ts';
import { path, pathOfName } from '#shared/platform/outgoing/path.ts';
import { timeOf } from '#shared/platform/outgoing/reported-time.ts';
import { now } from '#shared/platform/runtime/clock.ts';
import { fieldAt, listAt, numberAt, textAt } from '#shared/reports/readers/json.ts';
import type { HostAccess } from '../../integrations/secret.ts';
import {
  type AnnouncedRepository,
  type CodeHostApi,
  type HostPage,
  type ListedBranch,
  orUnexpected,
  pageOf,
} from '../code-host.ts';
import { installationToken, openGithub } from './access.ts';
import { githubRepository } from './repository.ts';
import { tellGithub } from './verdict.ts';

type Account = Reach & Pick<HostAddress, 'record'> & { account: string; baseUrl: string | null };

/** GitHub by its REST interface: https://docs.github.com/rest. Self-hosted ones have it under a path of their own. @throws HostError */
export async function github({ account, baseUrl, ...reach }: Account, access: HostAccess): Promise<CodeHostApi> {
  const api = { ...reach, api: baseUrl ? `${baseUrl}/api/v3/` : 'https://api.github.com/' };
  const host = await openGithub(api, access);
  return {
    whoAmI: () => whoAmI(host, access),
    repositories: async (next) =>
      repositoriesOf(await askHost(host, { path: next ?? (await listOf(host, account, access)) })),
    async repository(externalId) {
      const { body } = await askHost(host, { path: path`repositories/${externalId}` });
      return orUnexpected(githubRepository(body));
    },
    async branches({ fullName }, { next, etag }) {
      const answer = await askIfChanged(host, {
        path: next ?? `repos/${pathOfName(fullName)}/branches?per_page=100`,
        etag,
      });
      return answer && pageOf(answer, listAt(answer, 'body'), (one) => branchIn(one, answer));
    },
    pullRequestOf: ({ fullName }, commit) => pullRequestWith(host, pathOfName(fullName), commit),
    tell: ({ fullName }, verdict) => tellGithub({ host, repository: pathOfName(fullName), access }, verdict),
    async cloneToken({ externalId }) {
      if (!('app' in access)) return undefined;
      const extent = { repository_ids: [Number(externalId)], permissions: { contents: 'read' as const } };
      return { username: 'x-access-token', ...(await installationToken(api, access.app, extent)) };
    },
    // GitHub's tokens end within an hour, and only their holder may end them sooner
    revoke: async () => undefined,
  };
}

/** https://docs.github.com/rest/commits/commits#list-pull-requests-associated-with-a-commit */
async function pullRequestWith(host: HostAddress, repository: string, commit: string): Promise<number | null> {
  const { body } = await askHost(host, { path: `repos/${repository}/${path`commits/${commit}`}/pulls` });
  const open = listAt(body).find((one) => textAt(one, 'state') === 'open');
  return numberAt(open, 'number') ?? null;
}

async function whoAmI(host: HostAddress, access: HostAccess) {
  const own = 'app' in access ? 'installation/repositories?per_page=1' : 'user';
  const { body, headers } = await askHost(host, { path: own });
  const scopes =
    headers
      .get('x-oauth-scopes')
      ?.split(/,\s*/)
      .filter((scope) => scope !== '') ?? [];
  return {
    identity:
      'app' in access ? `installation ${access.app.installationId}` : (textAt(body, 'login') ?? 'an unnamed user'),
    rights: scopes,
    rateLimit: rateLimitOf(headers),
  };
}

/** The list of an account's repositories that the access may see. */
async function listOf(host: HostAddress, account: string, access: HostAccess): Promise<string> {
  if ('app' in access) return 'installation/repositories?per_page=100';
  const order = 'per_page=100&sort=created&direction=asc';
  const { body } = await askHost(host, { path: path`users/${account}` });
  if (textAt(body, 'type') === 'Organization') return `${path`orgs/${account}`}/repos?${order}`;
  const { body: self } = await askHost(host, { path: 'user' });
  const isOwn = textAt(self, 'login')?.toLowerCase() === account;
  // only the list of the account's own repositories has the private ones
  return isOwn ? `user/repos?affiliation=owner&${order}` : `${path`users/${account}`}/repos?${order}`;
}

function repositoriesOf(answer: HostAnswer): HostPage<AnnouncedRepository> {
  const listed = Array.isArray(answer.body) ? answer.body : listAt(answer.body, 'repositories');
  return pageOf(answer, listed, githubRepository);
}

/**
 * https://docs.github.com/rest/branches/branches#list-branches; it has no time, so the head has the time of the host's
 * answer.
 */
function branchIn(value: unknown, { headers }: HostAnswer): ListedBranch | undefined {
  const [name, headCommit] = [textAt(value, 'name'), textAt(value, 'commit', 'sha')];
  if (!name || !headCommit) return undefined;
  const at = timeOf(headers.get('date')) ?? now();
  return { name, headCommit, headCommittedAt: null, protected: fieldAt(value, 'protected') === true, at };
}
