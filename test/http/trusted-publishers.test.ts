import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startJobIssuer } from '../support/job-issuer.ts';
import { soon, toolReport } from '../support/shop.ts';
import { startSystem, type TestOrganization } from '../support/system.ts';

/** CI jobs without a key: their code host says who they are. */
const system = startSystem();
let issuer: Awaited<ReturnType<typeof startJobIssuer>>;
beforeAll(async () => {
  issuer = await startJobIssuer(system.connections.settings.TOKEN_ISSUER);
});
afterAll(() => issuer.stop());

const HOSTS = { github: 'codehost_a', gitlab: 'codehost_b' } as const;

async function startShop(more: object = {}, host: keyof typeof HOSTS = 'github') {
  const organization = await system.newOrganization();
  const kind = HOSTS[host];
  const body = { kind, name: 'Hub', account: 'acme', baseUrl: issuer.url };
  await organization.admin.ok('createIntegration', { body: body as never });
  const publisher = await trust(organization, { kind, ...more });
  return { ...organization, publisher, repository: `${issuer.url}/acme/shop` };
}

const trust = ({ admin }: TestOrganization, more: object) =>
  admin.ok('createTrustedPublisher', {
    body: { kind: 'codehost_a', baseUrl: issuer.url, repository: 'acme/shop', ...more },
  });

const exchange = (organizationId: string, token: string, more: object = {}) =>
  system.client().send('POST', '/api/v1/oauth/token', {
    body: {
      grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
      subject_token: token,
      subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
      organization_id: organizationId,
      ...more,
    },
  });

async function jobOf(organizationId: string, token: string) {
  const { status, body } = await exchange(organizationId, token);
  expect(status, JSON.stringify(body)).toBe(200);
  return system.client(() => Object(body).access_token);
}

const refusal = (message: RegExp) => ({
  status: 400,
  body: { code: 'invalid_grant', message: expect.stringMatching(message) },
});
const content = toolReport(['a']);

test('a job reports on its own branch for ten minutes, without a key', async () => {
  const { organizationId, repository, admin, publisher } = await startShop();
  const answer = await exchange(organizationId, await issuer.github());
  expect(answer).toMatchObject({
    status: 200,
    body: {
      token_type: 'Bearer',
      expires_in: 600,
      scope: 'imports:write',
      issued_token_type: 'urn:ietf:params:oauth:token-type:access_token',
    },
  });
  const job = system.client(() => Object(answer.body).access_token);
  const sent = await job.ok('importFindings', { query: soon, body: { content } });
  expect(sent.status).toBe('succeeded');
  const [branch] = (await admin.ok('listBranches', {})).data;
  expect(branch).toMatchObject({ name: 'main', isDefault: true });
  expect((await admin.ok('listFindings', {})).data).toMatchObject([{ asset: { name: repository } }]);
  for (const body of [{ ref: 'feature' }, { repository: `${issuer.url}/acme/other` }])
    expect(await job.call('importFindings', { body: { content, ...body } })).toMatchObject({
      status: 401,
      body: { code: 'insufficient_scope' },
    });
  expect(await job.call('listFindings', {})).toMatchObject({ status: 401 });
  const seen = await admin.ok('getTrustedPublisher', { params: { id: publisher.id } });
  expect(seen).toMatchObject({ repositoryId: '4711', lastUsedAt: expect.any(String) });
});

test('a pull request gets its own branch, compared with its base alone', async () => {
  const { organizationId, repository, admin } = await startShop();
  const event = { event_name: 'pull_request', ref: 'refs/pull/7/merge', base_ref: 'main', head_ref: 'feature' };
  const job = await jobOf(organizationId, await issuer.github(event));
  const send = (body: object) => job.call('importFindings', { query: soon, body: { content, ...body } });
  expect(await send({ baseRef: 'main' })).toMatchObject({ status: 200 });
  expect((await admin.ok('listBranches', {})).data).toMatchObject([{ name: 'pull/7', isDefault: false }]);
  const refused = [await send({ ref: 'main' }), await send({ baseRef: 'pull/7' }), await send({ baseRef: 'pull/8' })];
  expect(refused).toMatchObject(refused.map(() => ({ status: 401, body: { code: 'insufficient_scope' } })));
  const odd = await issuer.github({ ...event, ref: 'refs/pull/7/head' });
  expect(await exchange(organizationId, odd)).toMatchObject(refusal(/not the branch of a pull request/));
  const merged = await jobOf(organizationId, await issuer.github({ ...event, ref: 'refs/heads/main' }));
  expect(await merged.call('importFindings', { body: { content, ref: 'main' } })).toMatchObject({ status: 401 });
  const query = { repository, ref: 'pull/7' };
  expect(await merged.call('endNamedBranch', { query })).toMatchObject({ status: 200 });
});

test('a merge request of GitLab gets its own branch', async () => {
  const { organizationId, repository, admin } = await startShop({}, 'gitlab');
  const event = { pipeline_source: 'merge_request_event', ref: 'feature', ref_path: 'refs/merge-requests/7/head' };
  const job = await jobOf(organizationId, await issuer.gitlab(event));
  await job.ok('importFindings', { query: soon, body: { content, repository, ref: 'merge-requests/7' } });
  expect((await admin.ok('listBranches', {})).data).toMatchObject([{ name: 'merge-requests/7' }]);
  expect(await job.call('importFindings', { body: { content, ref: 'feature' } })).toMatchObject({ status: 401 });
});

test('a deleted branch ends, and nothing else', async () => {
  const { organizationId, repository, admin } = await startShop();
  for (const ref of ['main', 'feature'])
    await admin.ok('importFindings', { query: soon, body: { content: toolReport(['a', ref]), repository, ref } });
  const job = await jobOf(organizationId, await issuer.github({ event_name: 'delete' }));
  expect(await job.call('importFindings', { body: { content, ref: 'main' } })).toMatchObject({ status: 401 });
  expect(await job.call('endNamedBranch', { query: { repository, ref: 'feature' } })).toMatchObject({ status: 200 });
  expect(await job.call('endNamedBranch', { query: { repository, ref: 'main' } })).toMatchObject({
    body: { code: 'conflict' },
  });
});

describe('refused is', () => {
  test('a token that was used', async () => {
    const { organizationId } = await startShop();
    const token = await issuer.github();
    await jobOf(organizationId, token);
    expect(await exchange(organizationId, token)).toMatchObject(refusal(/used already/));
  });

  test('a token for another service, of another key, or from another time', async () => {
    const { organizationId } = await startShop();
    expect(await exchange(organizationId, await issuer.github({}, { aud: 'https://other.example' }))).toMatchObject(
      refusal(/audience/),
    );
    const [header, payload, signature = ''] = (await issuer.github()).split('.');
    const other = `${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`;
    expect(await exchange(organizationId, [header, payload, other].join('.'))).toMatchObject(refusal(/not valid/));
    expect(await exchange(organizationId, await issuer.github({}, { secondsAgo: 600 }))).toMatchObject(
      refusal(/expired/),
    );
    expect(await exchange(organizationId, await issuer.github({}, { secondsAgo: 330 }))).toMatchObject({ status: 200 });
    expect(await exchange(organizationId, 'no token')).toMatchObject(refusal(/must be the identity token/));
  });

  test('a fork, whose jobs have the name and the id of the fork', async () => {
    const { organizationId } = await startShop();
    const fork = {
      repository: 'stranger/shop',
      repository_id: '9',
      event_name: 'pull_request',
      ref: 'refs/pull/1/merge',
    };
    expect(await exchange(organizationId, await issuer.github(fork))).toMatchObject(refusal(/does not trust/));
    const target = { event_name: 'pull_request_target' };
    expect(await exchange(organizationId, await issuer.github(target))).toMatchObject(refusal(/pull_request_target/));
  });

  test('another repository that has the name after a rename', async () => {
    const { organizationId, admin, publisher } = await startShop();
    await jobOf(organizationId, await issuer.github());
    expect(await exchange(organizationId, await issuer.github({ repository_id: '9' }))).toMatchObject(
      refusal(/Another repository has this name/),
    );
    const renamed = { repository: 'acme/store' };
    expect(await exchange(organizationId, await issuer.github(renamed))).toMatchObject(refusal(/does not trust/));
    await admin.ok('updateTrustedPublisher', { params: { id: publisher.id }, body: renamed });
    await jobOf(organizationId, await issuer.github(renamed));
  });

  test('a job of another branch or environment than those that are trusted', async () => {
    const { organizationId } = await startShop({
      refs: ['main', 'release/*'],
      environment: 'scan',
      pullRequests: false,
    });
    const ask = async (claims: object) =>
      exchange(organizationId, await issuer.github({ environment: 'scan', ...claims }));
    const feature = 'refs/heads/feature';
    expect(await ask({ event_name: 'workflow_dispatch', ref: feature })).toMatchObject(
      refusal(/only jobs of the branches/),
    );
    expect(await ask({ event_name: 'workflow_dispatch', ref: 'refs/heads/release/2' })).toMatchObject({ status: 200 });
    expect(await ask({ ref: 'refs/tags/main' })).toMatchObject(refusal(/only jobs of the branches/));
    expect(await ask({ environment: 'other' })).toMatchObject(refusal(/environment scan/));
    expect(await ask({ environment: undefined })).toMatchObject(refusal(/environment scan/));
    const request = { event_name: 'pull_request', ref: 'refs/pull/7/merge' };
    expect(await ask(request)).toMatchObject(refusal(/pull requests/));
  });

  test('an issuer that the organization did not connect, and a publisher of another organization', async () => {
    const stranger = await system.newOrganization();
    expect(await exchange(stranger.organizationId, await issuer.github())).toMatchObject(refusal(/trusts no issuer/));
    const body = { kind: 'codehost_a' as const, baseUrl: issuer.url, repository: 'acme/shop' };
    expect(await stranger.admin.call('createTrustedPublisher', { body })).toMatchObject({ status: 400 });
    expect(await exchange('no id', await issuer.github())).toMatchObject({ body: { code: 'invalid_request' } });
    const more = { scope: 'findings:write' };
    expect(await exchange(stranger.organizationId, await issuer.github(), more)).toMatchObject({
      body: { code: 'invalid_scope' },
    });
  });

  test('a job of a publisher that was revoked, with the token that it has', async () => {
    const { organizationId, admin, publisher } = await startShop();
    const job = await jobOf(organizationId, await issuer.github());
    await admin.ok('revokeTrustedPublisher', { params: { id: publisher.id } });
    expect(await job.call('importFindings', { body: { content } })).toMatchObject({
      status: 401,
      body: { code: 'unauthorized' },
    });
    expect(await exchange(organizationId, await issuer.github())).toMatchObject(refusal(/does not trust/));
  });
});
