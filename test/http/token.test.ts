import { createPublicKey, verify } from 'node:crypto';
import { expect, test } from 'vitest';
import type { Scope } from '#shared/platform/auth/permissions.ts';
import { formatClientId, formatClientSecret, newSecret } from '#shared/platform/auth/token-format.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import { startSystem, type TestOrganization } from '../support/system.ts';

const system = startSystem();
const anyone = system.client();
const tokenPath = '/api/v1/oauth/token';
const scopes: Scope[] = ['findings:read', 'findings:write'];

const newKey = ({ admin }: TestOrganization) => admin.ok('createApiKey', { body: { name: 'CI', scopes } });
const newAccount = ({ admin }: TestOrganization) =>
  admin.ok('createServiceAccount', { body: { name: 'export', role: 'viewer' } });
const grant = 'client_credentials';
const form = (fields: Record<string, string>, headers: Record<string, string> = {}) =>
  anyone.send('POST', tokenPath, {
    body: new URLSearchParams(fields).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
  });
const basic = (id: string, secret: string) => ({
  authorization: `Basic ${Buffer.from(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`).toString('base64')}`,
});
const claimsOf = (token: string) => JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());

test('client credentials in JSON, a form or HTTP Basic give a token of one hour', async () => {
  const { clientId, clientSecret } = await newAccount(await system.newOrganization());
  const body = { grant_type: grant, client_id: clientId, client_secret: clientSecret };
  const answers = [
    await anyone.send('POST', tokenPath, { body }),
    await form(body),
    await form({ grant_type: grant }, basic(clientId, clientSecret)),
    await anyone.send('POST', tokenPath, { body: { grant_type: grant }, headers: basic(clientId, clientSecret) }),
  ];
  for (const answer of answers) {
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      access_token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
      token_type: 'Bearer',
      expires_in: 3600,
      scope: 'role:viewer',
    });
    expect(answer.headers.get('cache-control')).toBe('no-store');
  }
});

test('a token names its subject and verifies with the published keys', async () => {
  const organization = await system.newOrganization();
  const { id, clientId, clientSecret } = await newAccount(organization);
  const { access_token } = await anyone.ok('issueToken', {
    body: { grant_type: grant, client_id: clientId, client_secret: clientSecret },
  });
  const [header = '', claims = '', signature = ''] = access_token.split('.');
  const { alg, kid, typ } = JSON.parse(Buffer.from(header, 'base64url').toString());
  expect([alg, typ]).toEqual(['EdDSA', 'at+jwt']);
  expect(claimsOf(access_token)).toEqual({
    sub: id,
    org: organization.organizationId,
    kind: 'service_account',
    role: 'viewer',
    name: 'export',
    iss: system.connections.settings.TOKEN_ISSUER,
    aud: system.connections.settings.TOKEN_ISSUER,
    iat: expect.any(Number),
    exp: expect.any(Number),
    jti: expect.any(String),
  });
  const { keys } = await anyone.ok('getKeySet');
  const key = keys.find((candidate) => candidate.kid === kid);
  const publicKey = createPublicKey({ key: { ...key }, format: 'jwk' });
  const signed = verify(null, Buffer.from(`${header}.${claims}`), publicKey, Buffer.from(signature, 'base64url'));
  expect(signed).toBe(true);
  expect(Object.keys(key ?? {}).sort()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x']);
});

test('an API key gets a token with its id or client id, and with the whole key or its secret part', async () => {
  const { id, clientId, secret } = await newKey(await system.newOrganization());
  for (const client_id of [id, clientId, clientId.slice(4)])
    expect(
      await anyone.call('issueToken', { body: { grant_type: grant, client_id, client_secret: secret } }),
    ).toMatchObject({ status: 200, body: { scope: 'findings:read findings:write' } });
  const client_secret = secret.slice(-49);
  expect(
    await anyone.call('issueToken', { body: { grant_type: grant, client_id: clientId, client_secret } }),
  ).toMatchObject({ status: 200 });
});

test("a token requested with one of the key's scopes has no other", async () => {
  const { id, secret } = await newKey(await system.newOrganization());
  const ask = (scope: string) =>
    anyone.call('issueToken', { body: { grant_type: grant, client_id: id, client_secret: secret, scope } });
  const narrow = await ask('findings:read');
  if (narrow.status !== 200) expect.fail('no token');
  expect(narrow.body.scope).toBe('findings:read');
  expect(claimsOf(narrow.body.access_token).scopes).toEqual(['findings:read']);
  for (const scope of ['findings:read soc:read', 'soc:read', 'everything', 'role:admin'])
    expect(await ask(scope)).toMatchObject({ status: 400, body: { code: 'invalid_scope' } });
});

test('a machine gets a token of its kind', async () => {
  const { id, clientId, clientSecret } = await (await system.newOrganization()).scanner();
  const answer = await anyone.ok('issueToken', {
    body: { grant_type: grant, client_id: clientId, client_secret: clientSecret, scope: '' },
  });
  expect(answer.scope).toBe('machine:scanner');
  expect(claimsOf(answer.access_token)).toMatchObject({ sub: id, kind: 'machine', machine: 'scanner' });
  expect(await system.client(() => answer.access_token).call('listApiKeys')).toMatchObject({
    status: 401,
    body: { code: 'insufficient_scope' },
  });
});

test('a client with a wrong, foreign or damaged secret gets no token and no details', async () => {
  const organization = await system.newOrganization();
  const [one, two] = [await newAccount(organization), await newAccount(await system.newOrganization())];
  const linkToken = await organization.linkToken('scanner');
  const [, linkId = '', linkSecret = ''] = /^exl_(\w{44})_(\w{49})$/.exec(linkToken) ?? [];
  const unknown = formatClientId({ organizationId: organization.organizationId, id: newId() });
  const pairs = [
    [one.clientId, two.clientSecret],
    [one.clientId, formatClientSecret(newSecret())],
    [one.clientId, one.clientSecret.slice(0, -1)],
    [unknown, one.clientSecret],
    ['admin', 'admin'],
    [one.id, one.clientSecret],
    [`exc_${linkId}`, `exs_${linkSecret}`],
    [one.clientId, linkToken],
  ];
  const messages = new Set<unknown>();
  for (const [client_id, client_secret] of pairs) {
    const answer = await anyone.call('issueToken', { body: { grant_type: grant, client_id, client_secret } });
    expect(answer).toMatchObject({ status: 401, body: { code: 'invalid_client' } });
    messages.add('message' in answer.body && answer.body.message);
  }
  expect(messages.size).toBe(1);
});

test.each([
  ['without a grant type', {}, 'invalid_request'],
  ['without a client', { grant_type: grant }, 'invalid_request'],
  ['without a secret', { grant_type: grant, client_id: 'x' }, 'invalid_request'],
  ['for a password', { grant_type: 'password', username: 'a', password: 'b' }, 'unsupported_grant_type'],
  [
    'for an exchange without the identity token of a CI job',
    { grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange' },
    'invalid_request',
  ],
])('a token request %s is refused with a code of OAuth', async (_, body, code) => {
  for (const answer of [await anyone.send('POST', tokenPath, { body }), await form(body)])
    expect(answer).toMatchObject({ status: 400, body: { code, message: expect.any(String) } });
});

test('a secret sent in two ways at once is refused', async () => {
  const { clientId, clientSecret } = await newAccount(await system.newOrganization());
  const body = { grant_type: grant, client_id: clientId, client_secret: clientSecret };
  expect(await form(body, basic(clientId, clientSecret))).toMatchObject({ body: { code: 'invalid_request' } });
  for (const encoded of ['%%%', Buffer.from('nocolon').toString('base64')])
    expect(await form({ grant_type: grant }, { authorization: `Basic ${encoded}` })).toMatchObject({
      status: 400,
      body: { code: 'invalid_request' },
    });
});

test('a form field without a value counts as left out, and a repeated field is refused', async () => {
  const { clientId, clientSecret } = await newAccount(await system.newOrganization());
  const empty = { grant_type: grant, client_id: '', client_secret: '', scope: '' };
  expect(await form(empty, basic(clientId, clientSecret))).toMatchObject({ status: 200 });
  expect(await form({ grant_type: '' })).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
  const client = new URLSearchParams({ client_id: clientId, client_secret: clientSecret });
  const body = `grant_type=${grant}&grant_type=password&${client}`;
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  expect(await anyone.send('POST', tokenPath, { headers, body })).toMatchObject({
    status: 400,
    body: { code: 'invalid_request', message: expect.stringContaining('grant_type') },
  });
});

test('a refusal names the way to authenticate in its headers', async () => {
  const { apiKey } = await system.newOrganization();
  const refusals = [
    ['Bearer', await anyone.send('GET', '/api/v1/config')],
    ['Bearer error="invalid_token"', await system.client(() => 'x').send('GET', '/api/v1/config')],
    ['Bearer error="insufficient_scope"', await (await apiKey(scopes)).send('GET', '/api/v1/organization/api-keys')],
    ['Basic realm="clients"', await form({ grant_type: grant }, basic('x', 'y'))],
    ['Bearer', await form({ grant_type: grant, client_id: 'x', client_secret: 'y' })],
  ] as const;
  for (const [challenge, { status, headers }] of refusals)
    expect([status, headers.get('www-authenticate')]).toEqual([401, challenge]);
});

test('a token of one organization is refused for records of another', async () => {
  const [mine, theirs] = [await system.newOrganization(), await system.newOrganization()];
  const { id } = await newKey(theirs);
  expect(await mine.admin.call('getApiKey', { params: { id } })).toMatchObject({ body: { code: 'not_found' } });
  expect((await mine.admin.ok('listApiKeys')).data.map((key) => key.id)).not.toContain(id);
});
