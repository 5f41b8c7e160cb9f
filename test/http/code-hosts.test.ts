import { generateKeyPairSync } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sweep } from '#functions/workers/sweeper/index.ts';
import { assets } from '#shared/assets/asset/asset.ts';
import { issuedTokens } from '#shared/code/code-hosts/revoke.ts';
import { codeBranches } from '#shared/code/repositories/code-branch.ts';
import { repositories } from '#shared/code/repositories/repository.ts';
import { system } from '../support/analyst.ts';
import { type Github, githubRepository, startGithub, TOKEN } from '../support/code-hosts/github.ts';
import { gitlabProject, TOKEN as LAB_TOKEN, startGitlab } from '../support/code-hosts/gitlab.ts';
import { deliver } from '../support/github-delivery.ts';
import { toolReport } from '../support/shop.ts';
import type { TestOrganization } from '../support/system.ts';
import { expectExact } from '../support/verify.ts';
import { eventually, finished } from '../support/wait.ts';

let hub: Github;
beforeAll(async () => {
  hub = await startGithub();
});
afterAll(() => hub.stop());

const sha = (letter: string) => letter.repeat(40);
const first = { paginateFrom: 0, paginateSize: 100 };

const connect = (own: TestOrganization, more: object = { token: TOKEN }) =>
  own.admin.ok('createIntegration', {
    body: { kind: 'codehost_a', name: 'Hub', account: 'octo-shop', baseUrl: hub.url, ...more } as never,
  });

async function synced(own: TestOrganization, id: string) {
  const { taskId } = await own.admin.ok('syncIntegration', { params: { id } });
  return finished(own.admin, taskId);
}

const branchesOf = async (own: TestOrganization) =>
  Object.fromEntries(
    (await own.table.list(codeBranches, first)).data.map(({ name, status, headCommit, protected: isProtected }) => [
      name,
      { status, headCommit, isProtected },
    ]),
  );
const namesOf = async (own: TestOrganization) =>
  Object.fromEntries((await own.table.list(repositories, first)).data.map((one) => [one.fullName, one.status]));

describe('an account of a code host', () => {
  test('is read page by page as soon as it is connected with a token, which no answer shows', async () => {
    const own = await system.newOrganization();
    hub.repositories.splice(0, 9, ...[1, 2, 3, 4, 5].map((n) => githubRepository(n, `till-${n}`)));
    const created = await connect(own);
    expect(created).toMatchObject({ status: 'connected', access: 'token', error: null, lastSyncAt: null });
    expect(JSON.stringify(created)).not.toContain(TOKEN);
    const result = await synced(own, created.id);
    expect(result).toMatchObject({ status: 'succeeded', result: { repositories: 5, inaccessible: 0 } });
    expect(Object.values(await namesOf(own))).toEqual(Array(5).fill('active'));
    expect(await own.table.list(assets, first)).toMatchObject({ totalCount: 5 });
    expect(await own.admin.ok('getIntegration', { params: { id: created.id } })).toMatchObject({
      lastSyncAt: expect.any(String),
    });
    await expectExact(own.table, [repositories, codeBranches, assets]);
  });

  test('follows what happened while no event came: heads, new and deleted branches, a transfer, an end of access', async () => {
    const own = await system.newOrganization();
    hub.repositories.splice(
      0,
      9,
      githubRepository(11, 'shop'),
      githubRepository(12, 'moved'),
      githubRepository(13, 'gone'),
    );
    const { id } = await connect(own);
    await synced(own, id);
    hub.repositories.splice(
      0,
      9,
      githubRepository(11, 'shop', { heads: { main: { sha: sha('b') }, fix: { sha: sha('c') } } }),
    );
    hub.elsewhere.splice(
      0,
      9,
      githubRepository(12, 'moved', { full_name: 'others/moved', updated_at: '2026-11-02T08:00:00Z' }),
    );
    const { result } = await synced(own, id);
    expect(result).toEqual({ repositories: 2, inaccessible: 1 });
    expect(await namesOf(own)).toEqual({
      'octo-shop/shop': 'active',
      'others/moved': 'active',
      'octo-shop/gone': 'inaccessible',
    });
    expect(await branchesOf(own)).toMatchObject({
      main: { headCommit: sha('b'), isProtected: false, status: 'active' },
      fix: { headCommit: sha('c'), status: 'active' },
    });
    hub.repositories.splice(0, 9, githubRepository(11, 'shop'));
    await synced(own, id);
    expect(await branchesOf(own)).toMatchObject({ fix: { status: 'deleted' }, main: { headCommit: sha('a') } });
  });

  test('is asked for what changed alone', async () => {
    const own = await system.newOrganization();
    hub.repositories.splice(0, 9, githubRepository(21, 'quiet'));
    const { id } = await connect(own);
    await synced(own, id);
    hub.asked.length = 0;
    await synced(own, id);
    const lists = hub.asked.filter(({ path }) => path.endsWith('/branches'));
    expect(lists.map(({ headers }) => headers['if-none-match'])).toEqual([expect.any(String)]);
    expect(await branchesOf(own)).toMatchObject({ main: { status: 'active' } });
  });

  test('that refuses the token says so on the integration, and a better token mends it', async () => {
    const own = await system.newOrganization();
    const { id, ...created } = await connect(own, { token: 'wrong' });
    expect(created).toMatchObject({ status: 'failed', error: { code: 'token_refused' } });
    const tested = await own.admin.ok('testIntegration', { params: { id } });
    expect(tested).toMatchObject({ works: false, error: { code: 'token_refused' } });
    const taken = await own.admin.ok('updateIntegration', { params: { id }, body: { token: null } as never });
    expect(taken).toMatchObject({ status: 'connected', error: null, access: 'none' });
    const mended = await own.admin.ok('updateIntegration', { params: { id }, body: { token: TOKEN } as never });
    expect(mended).toMatchObject({ status: 'connected', error: null, access: 'token' });
    expect(await own.admin.ok('testIntegration', { params: { id } })).toMatchObject({
      works: true,
      identity: 'builder',
      rights: ['repo', 'read:org'],
      error: null,
      rateLimit: { remaining: 4999 },
    });
    const without = await own.admin.ok('updateIntegration', { params: { id }, body: { token: null } as never });
    expect(without).toMatchObject({ access: 'none' });
    expect(await own.admin.call('syncIntegration', { params: { id } })).toMatchObject({ body: { code: 'conflict' } });
  });

  test.each([
    ['token', { token: 'glpat-first-line\nsecond-line' }],
    ['token', { token: 'pasted\u0000token' }],
    ['app.appId', { app: { appId: '7\n7', installationId: '5', privateKey: 'none' } }],
    ['app.installationId', { app: { appId: '77', installationId: '5\r\nx: y', privateKey: 'none' } }],
  ])('is not asked with a %s that breaks the line of its header', async (field, access) => {
    const own = await system.newOrganization();
    const body = { kind: 'codehost_a', name: 'Hub', account: 'octo-shop', baseUrl: hub.url, ...access } as never;
    const { status, body: answer } = await own.admin.call('createIntegration', { body });
    expect({ status, answer }).toMatchObject({ status: 400, answer: { details: [{ path: field }] } });
    expect(JSON.stringify(answer)).not.toMatch(/first-line|pasted/);
  });

  test('gives an app its own token for an hour, by a key that is checked when it is given', async () => {
    const own = await system.newOrganization();
    const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    hub.app = { id: '77', publicKey };
    hub.repositories.splice(0, 9, githubRepository(41, 'apps'));
    const pem = privateKey.export({ type: 'pkcs1', format: 'pem' }).toString();
    const app = { appId: '77', installationId: '5', privateKey: pem };
    const refused = await own.admin.call('createIntegration', {
      body: {
        kind: 'codehost_a',
        name: 'Hub',
        account: 'octo-shop',
        baseUrl: hub.url,
        app: { ...app, privateKey: 'none' },
      } as never,
    });
    expect(refused).toMatchObject({ status: 400, body: { details: [{ path: 'app.privateKey' }] } });
    const created = await connect(own, { app });
    expect(created).toMatchObject({ status: 'connected', access: 'app' });
    expect(await synced(own, created.id)).toMatchObject({ result: { repositories: 1 } });
  });

  test('of the other vendor is read with the groups below it, and the newest commit is the head', async () => {
    const own = await system.newOrganization();
    const lab = await startGitlab();
    lab.projects.push(...[1, 2, 3].map((n) => gitlabProject(n, `shop/web/deep/p${n}`)));
    const body = { kind: 'codehost_b', name: 'Lab', account: 'shop/web', baseUrl: lab.url, token: LAB_TOKEN } as never;
    const { id, ...created } = await own.admin.ok('createIntegration', { body });
    expect(created).toMatchObject({ status: 'connected', access: 'token' });
    expect(await synced(own, id)).toMatchObject({ status: 'succeeded', result: { repositories: 3 } });
    const [project] = lab.projects;
    if (project) project.heads = { main: { id: sha('0'), committedAt: '2026-10-01T00:00:00Z', protected: true } };
    await synced(own, id);
    const heads = (await own.table.list(codeBranches, first)).data.map(({ headCommit }) => headCommit);
    expect(heads.sort()).toEqual([sha('0'), sha('a'), sha('a')]);
    await lab.stop();
  });
});

test('a pull request gets the verdict of its scan, whose scanner cloned with a token for that repository alone', async () => {
  const own = await system.newOrganization();
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  hub.app = { id: '78', publicKey };
  hub.repositories.splice(0, 9, githubRepository(51, 'till', { private: true }));
  Object.assign(hub.told, { statuses: [], checks: [], comments: [] });
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const created = await connect(own, { app: { appId: '78', installationId: '6', privateKey: pem } });
  await synced(own, created.id);
  const [repository] = (await own.table.list(repositories, first)).data;
  const scanPolicy = { onPullRequest: true, taskTypes: ['sast'], failOn: 'high' };
  const params = { id: repository?.id ?? '' };
  await own.admin.ok('updateCodehostARepo', { params, body: { scanPolicy } as never });
  const { heads: _heads, ...facts } = hub.repositories[0] ?? githubRepository(51, 'till');
  const head = { ref: 'fix', sha: sha('d'), repo: { id: 51 } };
  const event = { action: 'opened', number: 9, pull_request: { head, base: { ref: 'main' } }, repository: facts };
  expect(await deliver(created, 'pull_request', event)).toMatchObject({ status: 200 });
  await eventually(() => expect(hub.told.statuses).toMatchObject([{ state: 'pending' }]));

  const { client } = await own.scanner({ taskTypes: ['sast'] });
  const [task] = (await client.ok('leaseScannerTasks', { body: { capacity: 1 } })).tasks;
  const secrets = await client.send('GET', task?.secretsUrl ?? '', {});
  expect(secrets).toMatchObject({
    status: 200,
    body: { credentials: [{ kind: 'code_host', username: 'x-access-token', secret: { token: 'ghs_6_51' } }] },
  });
  const reports = [{ format: 'sarif', content: toolReport(['injection']) }];
  const results = [{ taskId: task?.id ?? '', outcome: 'completed' as const, reports }];
  await finished(client, (await client.ok('completeScannerTasks', { body: { results } })).taskId);
  await eventually(async () => {
    await sweep(system.connections);
    expect(hub.told.checks).toMatchObject([{ status: 'completed', conclusion: 'failure' }]);
  });
  expect(hub.told.statuses[0]).toMatchObject({ state: 'failure', description: 'Fails: 1 new high' });
  await eventually(() => expect(hub.told.comments).toHaveLength(1));
  expect(hub.told.comments[0]?.body).toContain('injection');
  expect(hub.told.checks[0]?.output.annotations).toHaveLength(1);
});

test('a token that the second code host made for a scanner is revoked there when its task has ended', async () => {
  const own = await system.newOrganization();
  const lab = await startGitlab();
  lab.projects.push(gitlabProject(61, 'shop/web/till', { visibility: 'private' }));
  const body = { kind: 'codehost_b', name: 'Lab', account: 'shop/web', baseUrl: lab.url, token: LAB_TOKEN } as never;
  await synced(own, (await own.admin.ok('createIntegration', { body })).id);
  const [branch] = (await own.table.list(codeBranches, first)).data;
  const scan = { params: { id: branch?.id ?? '' }, body: { taskTypes: ['sast'] } as never };
  await own.admin.ok('scanCodehostBBranch', scan);
  const { client } = await own.scanner({ taskTypes: ['sast'] });
  const [task] = (await client.ok('leaseScannerTasks', { body: { capacity: 1 } })).tasks;
  const secrets = await client.send('GET', task?.secretsUrl ?? '', {});
  expect(secrets).toMatchObject({ body: { credentials: [{ secret: { token: 'glpat-of-project-11' } }] } });
  // the reports of other tasks end nothing of this one
  await sweep(system.connections);
  expect([...lab.tokens]).toEqual([11]);
  const reports = [{ format: 'sarif', content: toolReport([]) }];
  const results = [{ taskId: task?.id ?? '', outcome: 'completed' as const, reports }];
  await client.ok('completeScannerTasks', { body: { results } });
  await eventually(async () => {
    await sweep(system.connections);
    expect([...lab.tokens]).toEqual([]);
  });
  expect(await own.table.rows(issuedTokens).find({ taskId: task?.id ?? '', attempt: 1 }, true)).toBeUndefined();
  expect(lab.asked.filter(({ method }) => method === 'DELETE')).toHaveLength(1);
  await lab.stop();
});
