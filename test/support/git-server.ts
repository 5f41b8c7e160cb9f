import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const env = {
  PATH: process.env.PATH ?? '',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_AUTHOR_NAME: 'a',
  GIT_AUTHOR_EMAIL: 'a@example.com',
  GIT_COMMITTER_NAME: 'a',
  GIT_COMMITTER_EMAIL: 'a@example.com',
};

/** A code host with one repository, served by git's own program for it; `password`: who else asks gets 401. */
export async function startGitServer(password?: string) {
  const root = mkdtempSync(join(tmpdir(), 'git-server-'));
  const work = join(root, 'shop');
  const git = (...argv: string[]) => execFileSync('git', argv, { cwd: work, env, encoding: 'utf8' }).trim();
  mkdirSync(work);
  git('init', '--quiet', '--initial-branch', 'main');
  git('config', 'uploadpack.allowAnySHA1InWant', 'true');
  const seen: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    seen.push(request.headers.authorization);
    const expected = password && `Basic ${Buffer.from(`x-access-token:${password}`).toString('base64')}`;
    if (expected && request.headers.authorization !== expected)
      response.writeHead(401, { 'www-authenticate': 'Basic' }).end();
    else void serve(root, request, response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/shop`,
    seen,
    git,
    /** Commits these files on the present branch. @returns the commit */
    commit(files: Record<string, string>): string {
      for (const [name, text] of Object.entries(files)) {
        mkdirSync(dirname(join(work, name)), { recursive: true });
        writeFileSync(join(work, name), text);
      }
      git('add', '--all');
      git('commit', '--quiet', '--message', 'a change');
      return git('rev-parse', 'HEAD');
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      rmSync(root, { recursive: true, force: true });
    },
  };
}

/** CGI (RFC 3875), as git-http-backend speaks it. */
async function serve(root: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? '', 'http://host');
  const { pathname, search } = url;
  const backend = spawn('git', ['http-backend'], {
    env: {
      ...env,
      GIT_PROJECT_ROOT: root,
      GIT_HTTP_EXPORT_ALL: '1',
      REMOTE_ADDR: '127.0.0.1',
      PATH_INFO: pathname.replace('/shop', '/shop/.git'),
      QUERY_STRING: search.slice(1),
      REQUEST_METHOD: request.method ?? '',
      CONTENT_TYPE: request.headers['content-type'] ?? '',
      GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
      HTTP_CONTENT_ENCODING: request.headers['content-encoding'] ?? '',
    },
  });
  request.pipe(backend.stdin);
  const answer = Buffer.concat(await backend.stdout.toArray());
  const end = answer.indexOf('\r\n\r\n');
  const headers = answer
    .subarray(0, end)
    .toString()
    .split('\r\n')
    .map((line) => line.split(': ') as [string, string]);
  const status = headers.find(([name]) => name === 'Status')?.[1];
  response.writeHead(status ? Number.parseInt(status, 10) : 200, Object.fromEntries(headers));
  response.end(answer.subarray(end + 4));
}
