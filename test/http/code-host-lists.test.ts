import { expect, test } from 'vitest';
import { codeBranches } from '#shared/code/repositories/code-branch.ts';
import { system } from '../support/analyst.ts';
import { githubRepository, startGithub, TOKEN } from '../support/code-hosts/github.ts';
import { startServer } from '../support/code-hosts/server.ts';
import { finished } from '../support/wait.ts';

/** Reads the repositories of an account to its end. */
async function syncerOf(baseUrl: string) {
  const own = await system.newOrganization();
  const body = { kind: 'codehost_a', name: 'Hub', account: 'octo-shop', baseUrl, token: TOKEN } as never;
  const { id } = await own.admin.ok('createIntegration', { body });
  const sync = async () => finished(own.admin, (await own.admin.ok('syncIntegration', { params: { id } })).taskId);
  return { own, sync };
}

test('a list of repositories that leads back to an earlier page ends its sync with the reason', async () => {
  const loop = await startServer(({ path, query }) => {
    if (!path.endsWith('/repos')) return { body: { login: 'builder', type: 'Organization' } };
    const next = query.get('page') === '2' ? 3 : 2;
    return { body: [], headers: { link: `<https://inner.example${path}?page=${next}>; rel="next"` } };
  });
  const { sync } = await syncerOf(loop.url);
  expect(await sync()).toMatchObject({ status: 'failed', error: { code: 'unexpected_answer' } });
  expect(loop.asked.filter(({ path }) => path.endsWith('/repos'))).toHaveLength(3);
  await loop.stop();
});

test('a list of branches that is too long adds those on its first pages, and ends none that it did not come to', async () => {
  const hub = await startGithub();
  hub.repositories.push(githubRepository(31, 'wide'));
  const { own, sync } = await syncerOf(hub.url);
  await sync();
  hub.branches = (page) => [{ name: `b${page}`, commit: { sha: 'c'.repeat(40) }, protected: false }];
  await sync();
  const { data } = await own.table.list(codeBranches, { paginateFrom: 0, paginateSize: 500 });
  expect(new Set(data.map(({ status }) => status))).toEqual(new Set(['active']));
  expect(data.map(({ name }) => name).sort()).toEqual(['main', ...data.slice(1).map((_, n) => `b${n + 1}`)].sort());
  expect(data.length).toBeGreaterThan(1);
  expect(data.length).toBeLessThanOrEqual(101);
  await hub.stop();
});
