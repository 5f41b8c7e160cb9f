import { generateKeyPairSync } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Verdict } from '#shared/code/code-hosts/code-host.ts';
import { github } from '#shared/code/code-hosts/github/api.ts';
import { gitlab } from '#shared/code/code-hosts/gitlab/api.ts';
import { githubRepository, startGithub, TOKEN } from '../../../support/code-hosts/github.ts';
import { gitlabProject, TOKEN as LAB_TOKEN, startGitlab } from '../../../support/code-hosts/gitlab.ts';
import { reachOfTests } from '../../../support/network.ts';

const commit = 'a'.repeat(40);
const annotation = {
  path: 'src/till.ts',
  line: 7,
  severity: 'high',
  title: 'SQL injection',
  message: 'db.query',
} as const;
const verdict: Verdict = {
  id: 'scan-1',
  commit,
  ref: 'fix',
  pullRequest: 5,
  state: 'failed',
  hasNew: true,
  renews: false,
  title: '1 new finding',
  summary: '- `SQL injection`',
  link: 'https://exposure.example/x',
  annotations: [annotation],
};
const clean: Verdict = {
  ...verdict,
  id: 'scan-2',
  state: 'passed',
  hasNew: false,
  title: 'nothing new',
  annotations: [],
};

describe('the first code host', () => {
  let hub: Awaited<ReturnType<typeof startGithub>>;
  const place = () => ({ account: 'octo-shop', baseUrl: hub.url, ...reachOfTests() });
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const app = {
    appId: '77',
    installationId: '5',
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
  const repository = { externalId: '1', fullName: 'octo-shop/till' };
  beforeEach(async () => {
    hub = await startGithub();
    hub.app = { id: '77', publicKey };
    hub.repositories.push(githubRepository(1, 'till'));
  });
  afterEach(() => hub.stop());

  test('gets a status, a check with its annotations and one comment, for any number of reports', async () => {
    const api = await github(place(), { app });
    await api.tell(repository, { ...verdict, state: 'pending', annotations: [] });
    expect(hub.told).toMatchObject({
      statuses: [{ state: 'pending' }],
      checks: [{ status: 'in_progress' }],
      comments: [],
    });
    for (let n = 0; n < 3; n++) await api.tell(repository, verdict);
    expect(hub.told.statuses[0]).toEqual({
      state: 'failure',
      description: '1 new finding',
      target_url: verdict.link,
      context: 'exposure management',
    });
    expect(hub.told.checks).toMatchObject([
      {
        status: 'completed',
        conclusion: 'failure',
        external_id: 'scan-1',
        head_sha: commit,
        output: { annotations: [{ path: 'src/till.ts', start_line: 7, annotation_level: 'failure' }] },
      },
    ]);
    expect(hub.told.comments).toHaveLength(1);
    await api.tell(repository, clean);
    expect(hub.told.comments).toMatchObject([{ body: expect.stringContaining('nothing new') }]);
    expect(hub.told.checks).toMatchObject([{}, { conclusion: 'success', external_id: 'scan-2' }]);
  });

  test('keeps a comment of somebody else who wrote the mark of ours, and begins its own', async () => {
    const api = await github(place(), { app });
    await api.tell(repository, verdict);
    const [ours] = hub.told.comments;
    hub.told.comments.unshift({ id: 99, body: ours?.body ?? '', user: { login: 'mallory' } });
    await api.tell(repository, clean);
    expect(hub.told.comments).toMatchObject([
      { id: 99, body: expect.stringContaining('1 new finding') },
      { id: 1, body: expect.stringContaining('nothing new') },
    ]);
    hub.told.comments.pop();
    await api.tell(repository, verdict);
    expect(hub.told.comments).toMatchObject([{ id: 99 }, { body: expect.stringContaining('1 new finding') }]);
  });

  test('gets a status without a check from a token, and no comment where nothing was ever new', async () => {
    await (await github(place(), { token: TOKEN })).tell(repository, { ...clean, title: 'x'.repeat(500) });
    expect(hub.told).toMatchObject({ statuses: [{ state: 'success' }], checks: [], comments: [] });
  });

  test('shows 50 annotations of more', async () => {
    const annotations = Array.from({ length: 60 }, () => annotation);
    await (await github(place(), { app })).tell(repository, { ...verdict, annotations });
    expect(hub.told.checks[0]?.output.annotations).toHaveLength(50);
  });

  test('gives scanners a token for one repository, to read it', async () => {
    expect(await (await github(place(), { app })).cloneToken(repository)).toMatchObject({
      username: 'x-access-token',
      token: 'ghs_5_1',
      expiresAt: expect.any(String),
    });
    expect(hub.asked.at(-1)?.body).toEqual({ repository_ids: [1], permissions: { contents: 'read' } });
    expect(await (await github(place(), { token: TOKEN })).cloneToken(repository)).toBeUndefined();
  });
});

describe('the second code host', () => {
  let lab: Awaited<ReturnType<typeof startGitlab>>;
  const api = () => gitlab({ account: 'shop/web', baseUrl: lab.url, ...reachOfTests() }, LAB_TOKEN);
  const project = { externalId: '3', fullName: 'shop/web/till' };
  beforeEach(async () => {
    lab = await startGitlab();
    lab.projects.push(gitlabProject(3, 'shop/web/till'));
  });
  afterEach(() => lab.stop());

  test('gets a status and one note, for any number of reports', async () => {
    await api().tell(project, { ...verdict, state: 'pending' });
    for (let n = 0; n < 3; n++) await api().tell(project, verdict);
    expect(lab.told.statuses).toMatchObject([{ state: 'failed', ref: 'fix' }, { state: 'running' }]);
    expect(lab.told.notes).toMatchObject([{ body: expect.stringContaining('1 new finding') }]);
    await api().tell(project, clean);
    expect(lab.told.notes).toMatchObject([{ body: expect.stringContaining('nothing new') }]);
  });

  test('keeps a note of somebody else who wrote the mark of ours, and begins its own', async () => {
    await api().tell(project, verdict);
    const [ours] = lab.told.notes;
    lab.told.notes.splice(0, 1, { id: 99, body: ours?.body ?? '', author: { id: 8 } });
    await api().tell(project, { ...verdict, title: '2 new findings', state: 'failed' });
    expect(lab.told.notes).toMatchObject([
      { id: 99, body: expect.stringContaining('1 new finding') },
      { body: expect.stringContaining('2 new findings'), author: { id: 7 } },
    ]);
  });

  test('gives scanners a token for one project that ends within two days', async () => {
    const given = await api().cloneToken(project);
    expect(given).toMatchObject({ username: 'oauth2', token: 'glpat-of-project-11' });
    expect(Date.parse(given?.expiresAt ?? '')).toBeLessThanOrEqual(Date.now() + 2 * 86_400_000);
    expect(lab.asked.at(-1)?.body).toMatchObject({ scopes: ['read_repository'], access_level: 20 });
    expect([...lab.tokens]).toEqual([11]);
    for (let n = 0; n < 2; n++) await api().revoke(given?.revocation ?? '');
    expect([...lab.tokens]).toEqual([]);
  });
});
