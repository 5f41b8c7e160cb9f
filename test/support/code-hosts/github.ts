import type { KeyObject } from 'node:crypto';
import { jwtVerify } from 'jose';
import { type Asked, type CodeHostServer, paged, type Reply, startServer } from './server.ts';

type Head = { sha: string; protected?: boolean };
type GithubRepository = { id: number; name: string; heads: Record<string, Head>; [field: string]: unknown };

export type Github = CodeHostServer & {
  /** The repositories of the account `octo-shop`, which tests change. */
  repositories: GithubRepository[];
  /** Those that went to another account. */
  elsewhere: GithubRepository[];
  app?: { id: string; publicKey: KeyObject };
  /** The branches of a page of every repository, of which there is always another one. */
  branches?: ((page: number) => object[]) | undefined;
  /** The pull requests that bring a commit. */
  proposals: Record<string, { number: number; state: string }[]>;
  /** The verdicts that were told, as the host keeps them. */
  told: { statuses: object[]; checks: Check[]; comments: { id: number; body: string; user: { login: string } }[] };
};

type Check = {
  id: number;
  external_id?: string;
  status: string;
  conclusion?: string;
  output: { annotations: object[] };
};
type State = Pick<Github, 'repositories' | 'elsewhere' | 'app' | 'told' | 'branches' | 'proposals'>;

export const TOKEN = 'github_pat_of_the_test';

export const githubRepository = (id: number, name: string, more: object = {}): GithubRepository => ({
  id,
  name,
  full_name: `octo-shop/${name}`,
  html_url: `https://github.example/octo-shop/${name}`,
  private: true,
  visibility: 'private',
  default_branch: 'main',
  archived: false,
  topics: ['shop'],
  language: 'Go',
  description: 'Sells',
  updated_at: '2026-11-01T08:00:00Z',
  pushed_at: '2026-11-01T08:00:00Z',
  heads: { main: { sha: 'a'.repeat(40), protected: true } },
  ...more,
});

const NOT_FOUND = { status: 404, body: { message: 'Not Found' } };
const PAGE = 2;

/** A GitHub Enterprise Server with one organization: https://docs.github.com/rest */
export async function startGithub(): Promise<Github> {
  const told = { statuses: [], checks: [], comments: [] };
  const state: State = { repositories: [], elsewhere: [], told, proposals: {} };
  const server = await startServer((asked) => answer(state, asked));
  return Object.assign(state, server);
}

async function answer(state: State, asked: Asked): Promise<Reply> {
  const path = asked.path.replace(/^\/api\/v3\//, '');
  const installation = /^app\/installations\/(\d+)\/access_tokens$/.exec(path);
  if (installation) return installationToken(state, asked, installation[1] ?? '');
  if (path === 'app') return { body: { slug: 'exposure' } };
  const given = asked.headers.authorization;
  if (given !== `Bearer ${TOKEN}` && !given?.startsWith('Bearer ghs_'))
    return { status: 401, body: { message: 'Bad credentials' } };
  const limit = { 'x-ratelimit-remaining': '4999', 'x-ratelimit-reset': '1893456000', date: new Date().toUTCString() };
  const reply = takeVerdict(state, path, asked) ?? answerAuthorized(state, path, asked);
  return { ...reply, headers: { ...limit, ...reply.headers } };
}

function answerAuthorized({ repositories, elsewhere, branches }: State, path: string, asked: Asked): Reply {
  if (path === 'user') return { body: { login: 'builder' }, headers: { 'x-oauth-scopes': 'repo, read:org' } };
  if (path === 'users/octo-shop') return { body: { login: 'octo-shop', type: 'Organization' } };
  const shown = repositories.map(({ heads: _heads, ...one }) => one);
  if (path === 'orgs/octo-shop/repos') return paged(asked, shown, PAGE);
  if (path === 'installation/repositories')
    return paged(asked, shown, PAGE, (page) => ({ total_count: shown.length, repositories: page }));
  const all = [...repositories, ...elsewhere];
  const byId = all.find(({ id }) => path === `repositories/${id}`);
  if (byId) return { body: { ...byId, heads: undefined } };
  const named = all.find(({ full_name: name }) => path === `repos/${name}/branches`);
  if (!named) return NOT_FOUND;
  const endless = branches?.(Number(asked.query.get('page') ?? 1));
  if (endless) return { ...paged(asked, [{}, {}], 0), body: endless };
  const heads = Object.entries(named.heads).map(([name, { sha, protected: isProtected = false }]) => ({
    name,
    commit: { sha, url: '' },
    protected: isProtected,
  }));
  return paged(asked, heads, PAGE);
}

/** https://docs.github.com/apps/creating-github-apps/authenticating-with-a-github-app/generating-a-json-web-token-jwt-for-a-github-app */
async function installationToken(
  { app }: Pick<Github, 'app'>,
  { headers, body }: Asked,
  installation: string,
): Promise<Reply> {
  const jwt = headers.authorization?.replace('Bearer ', '') ?? '';
  const proven =
    app && (await jwtVerify(jwt, app.publicKey, { issuer: app.id, maxTokenAge: '11m' }).catch(() => undefined));
  if (!proven) return { status: 401, body: { message: 'A JSON web token could not be decoded' } };
  const { iat = 0, exp = 0 } = proven.payload;
  if (exp - iat > 600)
    return { status: 401, body: { message: "'Expiration time' claim ('exp') is too far in the future" } };
  const scope = body?.repository_ids?.join('-') ?? 'all';
  return {
    status: 201,
    body: {
      token: `ghs_${installation}_${scope}`,
      expires_at: new Date(Date.now() + 3_600_000).toISOString(),
      permissions: body?.permissions,
    },
  };
}

/** https://docs.github.com/rest/commits/statuses, https://docs.github.com/rest/checks/runs, https://docs.github.com/rest/issues/comments */
function takeVerdict(
  { repositories, told, proposals }: State,
  path: string,
  { method, headers, body, query }: Asked,
): Reply | undefined {
  const [, fullName, rest] = /^repos\/([^/]+\/[^/]+)\/(.+)$/.exec(path) ?? [];
  if (!rest || rest === 'branches') return undefined;
  if (!repositories.some(({ full_name: name }) => name === fullName)) return NOT_FOUND;
  if (/^statuses\/[0-9a-f]{40}$/.test(rest)) {
    if (body.description.length > 140) return invalid('description is too long (maximum is 140 characters)');
    told.statuses.unshift(body);
    return { status: 201, body };
  }
  const withCommit = /^commits\/([0-9a-f]{40})\/pulls$/.exec(rest)?.[1];
  if (withCommit) return { body: proposals[withCommit] ?? [] };
  if (rest.includes('check-runs') && !headers.authorization?.startsWith('Bearer ghs_'))
    return { status: 403, body: { message: 'You must authenticate via a GitHub App.' } };
  if (/^commits\/[0-9a-f]{40}\/check-runs$/.test(rest))
    return { body: { total_count: told.checks.length, check_runs: query.get('check_name') ? told.checks : [] } };
  const check = /^check-runs\/(\d+)$/.exec(rest)?.[1];
  if (rest === 'check-runs' || check) return keepCheck(told.checks, check, body);
  const comment = /^issues\/comments\/(\d+)$/.exec(rest)?.[1];
  const current = told.comments.find(({ id }) => String(id) === comment);
  if (current) Object.assign(current, body);
  if (current) return { body: current };
  if (!/^issues\/\d+\/comments$/.test(rest)) return undefined;
  if (method === 'GET') return { body: told.comments };
  const login = headers.authorization?.startsWith('Bearer ghs_') ? 'exposure[bot]' : 'builder';
  told.comments.push({ id: told.comments.length + 1, body: body.body, user: { login } });
  return { status: 201, body: told.comments.at(-1) };
}

const invalid = (message: string): Reply => ({ status: 422, body: { message } });

/** Annotations of a change are added to those that stand. */
function keepCheck(checks: Check[], id: string | undefined, body: Omit<Check, 'id'> & { head_sha?: string }): Reply {
  if (body.output.annotations.length > 50) return invalid('No more than 50 annotations');
  if (body.status === 'completed' && !body.conclusion) return invalid('conclusion is missing');
  const current = checks.find((one) => String(one.id) === id);
  if (!current) return { status: 201, body: checks[checks.push({ id: checks.length + 1, ...body }) - 1] };
  const annotations = [...current.output.annotations, ...body.output.annotations];
  return { body: Object.assign(current, body, { output: { ...body.output, annotations } }) };
}
