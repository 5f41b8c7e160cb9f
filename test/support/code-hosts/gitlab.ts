import { type Asked, type CodeHostServer, paged, type Reply, startServer } from './server.ts';

type Head = { id: string; committedAt: string; protected?: boolean };
type GitlabProject = { id: number; heads: Record<string, Head>; [field: string]: unknown };

type Told = {
  statuses: { state: string; name: string }[];
  notes: { id: number; body: string; author: { id: number } }[];
};
/** `tokens`: the numbers of the project tokens that stand. */
type Gitlab = CodeHostServer & { projects: GitlabProject[]; told: Told; tokens: Set<number> };
type State = Pick<Gitlab, 'projects' | 'told' | 'tokens'>;

export const TOKEN = 'glpat-of_the_test';

export const gitlabProject = (id: number, path: string, more: object = {}): GitlabProject => ({
  id,
  name: path.split('/').at(-1),
  path_with_namespace: path,
  web_url: `https://gitlab.example/${path}`,
  description: null,
  default_branch: 'main',
  visibility: 'internal',
  archived: false,
  topics: [],
  heads: { main: { id: 'a'.repeat(40), committedAt: '2026-11-01T09:00:00.000+01:00' } },
  ...more,
});

const NOT_FOUND = { status: 404, body: { message: '404 Project Not Found' } };

/** A GitLab with the group `shop`: https://docs.gitlab.com/api/rest/ */
export async function startGitlab(): Promise<Gitlab> {
  const state: State = { projects: [], told: { statuses: [], notes: [] }, tokens: new Set() };
  const server = await startServer((asked) => answer(state, asked));
  return Object.assign(state, server);
}

function answer({ projects, told, tokens }: State, asked: Asked): Reply {
  if (asked.headers['private-token'] !== TOKEN) return { status: 401, body: { message: '401 Unauthorized' } };
  const path = asked.path.replace(/^\/api\/v4\//, '');
  if (path === 'user') return { body: { id: 7, username: 'builder' } };
  if (path === 'personal_access_tokens/self') return { body: { id: 1, scopes: ['api', 'read_api'], active: true } };
  if (path === 'groups/shop%2Fweb') return { body: { id: 3, full_path: 'shop/web' } };
  const shown = projects.map(({ heads: _heads, ...one }) => one);
  if (path === 'groups/shop%2Fweb/projects') return paged(asked, shown, 2);
  const project = projects.find(({ id }) => path === `projects/${id}` || path.startsWith(`projects/${id}/`));
  if (!project) return NOT_FOUND;
  if (path === `projects/${project.id}`) return { body: { ...project, heads: undefined } };
  if (path.endsWith('/repository/branches')) return paged(asked, Object.entries(project.heads).map(branchOf), 100);
  return (
    takeToken(tokens, path.slice(`projects/${project.id}/`.length), asked) ??
    takeVerdict(told, path, asked) ??
    NOT_FOUND
  );
}

/** https://docs.gitlab.com/api/project_access_tokens/ */
function takeToken(tokens: Set<number>, path: string, { method, body }: Asked): Reply | undefined {
  if (path === 'access_tokens' && method === 'POST') {
    const id = 11 + tokens.size;
    tokens.add(id);
    return { status: 201, body: { ...body, id, token: `glpat-of-project-${id}` } };
  }
  const id = Number(/^access_tokens\/(\d+)$/.exec(path)?.[1]);
  return method === 'DELETE' && tokens.delete(id) ? { status: 204, body: undefined } : undefined;
}

/** https://docs.gitlab.com/api/commits/#set-commit-pipeline-status, https://docs.gitlab.com/api/notes/#merge-requests */
function takeVerdict({ statuses, notes }: Told, path: string, { method, body }: Asked): Reply | undefined {
  if (/\/statuses\/[0-9a-f]{40}$/.test(path)) {
    const { state } = body;
    if (statuses[0]?.state === state)
      return { status: 400, body: { message: `Cannot transition status via :${state} from :${state}` } };
    statuses.unshift(body);
    return { status: 201, body };
  }
  const [, list, id] = /(\/merge_requests\/\d+\/notes)(?:\/(\d+))?$/.exec(path) ?? [];
  if (!list) return undefined;
  const current = notes.find((note) => String(note.id) === id);
  if (current && method === 'PUT') return { body: Object.assign(current, body) };
  if (method === 'GET') return { body: notes };
  notes.push({ id: notes.length + 1, body: body.body, author: { id: 7 } });
  return { status: 201, body: notes.at(-1) };
}

const branchOf = ([name, { id, committedAt, protected: isProtected = false }]: [string, Head]) => ({
  name,
  protected: isProtected,
  default: name === 'main',
  commit: { id, short_id: id.slice(0, 8), committed_date: committedAt },
});
