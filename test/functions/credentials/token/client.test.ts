import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { authenticateClient } from '#functions/credentials/token/client.ts';
import type { OAuthTokenRequest } from '#functions/credentials/token/routes.ts';
import { createApiKey, createLinkToken, createServiceAccount } from '#shared/credentials/issue.ts';
import { credentials } from '#shared/platform/auth/credential.ts';
import { formatClientId, formatClientSecret, newSecret } from '#shared/platform/auth/token-format.ts';
import { inSeconds } from '#shared/platform/runtime/clock.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import { entryIn, inboxKey } from '#shared/platform/table/changes.ts';
import { queryRows } from '#shared/platform/table/io/read.ts';
import { type Deployment, startDeployment } from '../../../support/credentials-store.ts';

let deployment: Deployment;
beforeAll(async () => {
  deployment = await startDeployment();
});
afterAll(() => deployment.store.stop());

const ask = (body: OAuthTokenRequest, authorization?: string) =>
  authenticateClient({
    connections: deployment.connections,
    cause: { operation: 'issueToken' },
    body,
    request: { headers: { authorization } },
  });
const basic = (text: string, scheme = 'Basic') => `${scheme} ${Buffer.from(text).toString('base64')}`;
const unknown = { code: 'invalid_client', message: expect.stringContaining('unknown, revoked or expired') };
const malformed = { code: 'invalid_request' };
const newAccount = () => createServiceAccount(deployment.table, { name: 'night', role: 'viewer' });
const newKey = (expiresAt: string | null = null) =>
  createApiKey(deployment.table, { name: 'CI', scopes: ['findings:read'], expiresAt });

describe('HTTP Basic', () => {
  test('takes the scheme in any case, and a client id in the body beside it', async () => {
    const { id, clientId, clientSecret } = await newAccount();
    for (const scheme of ['Basic', 'basic', 'BASIC '])
      expect(await ask({}, basic(`${clientId}:${clientSecret}`, scheme))).toMatchObject({ id });
    expect(await ask({ client_id: 'other' }, basic(`${clientId}:${clientSecret}`))).toMatchObject({ id });
  });

  test('with a broken escape or a colon too many is a wrong secret and no failure', async () => {
    const { clientId, clientSecret } = await newAccount();
    for (const text of [`${clientId}:%zz`, `%zz:${clientSecret}`, `${clientId}:a:b`])
      await expect(ask({}, basic(text))).rejects.toMatchObject(unknown);
    const escaped = clientSecret.replaceAll(/./g, (one) => `%${one.charCodeAt(0).toString(16)}`);
    expect(await ask({}, basic(`${clientId}:${escaped}`))).toMatchObject({ credential: { name: 'night' } });
  });

  test('without one of both parts gets an answer that says what to send', async () => {
    for (const text of ['id:', ':secret', ':']) await expect(ask({}, basic(text))).rejects.toMatchObject(malformed);
  });

  test('of another scheme counts as left out', async () => {
    const { id, clientId, clientSecret } = await newAccount();
    const body = { client_id: clientId, client_secret: clientSecret };
    expect(await ask(body, 'Bearer x')).toMatchObject({ id });
    await expect(ask({}, 'Bearer x')).rejects.toMatchObject(malformed);
  });
});

test('the answer to only a client id or only a secret says what to send', async () => {
  for (const body of [{}, { client_id: 'x' }, { client_secret: 'x' }, { client_id: '', client_secret: '' }])
    await expect(ask(body)).rejects.toMatchObject(malformed);
});

test('a whole API key opens with its own id alone', async () => {
  const [key, other, account] = [await newKey(), await newKey(), await newAccount()];
  for (const client_id of [key.id, key.clientId])
    expect(await ask({ client_id, client_secret: key.secret })).toMatchObject({ id: key.id });
  for (const client_id of [other.id, other.clientId, account.id, account.clientId, 'x', newId()])
    await expect(ask({ client_id, client_secret: key.secret })).rejects.toMatchObject(unknown);
});

test('the secret of a link token gives no access token: it only links a machine', async () => {
  const limits = { maxUses: 1, expiresAt: inSeconds(60), zone: null, group: null };
  const { id, linkToken } = await createLinkToken(deployment.table, { kind: 'scanner', ...limits });
  const { organizationId } = deployment.organization;
  const client_id = formatClientId({ organizationId, id });
  const client_secret = formatClientSecret(linkToken.slice(-49));
  await expect(ask({ client_id, client_secret })).rejects.toMatchObject(unknown);
});

describe('the audit log', () => {
  const told = async (id: string) => {
    const { dynamo, tenant } = deployment.table;
    const { pk, sk: prefix } = inboxKey(tenant, '');
    const entries = (await queryRows(dynamo, { pk, prefix, consistent: true })).map(entryIn);
    return entries.flatMap(({ by, event }) => (by.id === id && event ? [`${event.kind} ${event.reason ?? ''}`] : []));
  };
  const wrong = formatClientSecret(newSecret());

  test('knows who signed in', async () => {
    const { id, clientId, clientSecret } = await newAccount();
    await ask({ client_id: clientId, client_secret: clientSecret });
    expect(await told(id)).toEqual(['signed_in ']);
  });

  test('knows of a wrong secret and of an expired credential, and distinguishes them', async () => {
    const [account, key] = [await newAccount(), await newKey(inSeconds(60))];
    await expect(ask({ client_id: account.clientId, client_secret: wrong })).rejects.toMatchObject(unknown);
    expect(await told(account.id)).toEqual(['refused The secret was wrong.']);
    await deployment.table.rows(credentials).set({ id: key.id }, { expiresAt: inSeconds(-1) });
    await expect(ask({ client_id: key.id, client_secret: key.secret })).rejects.toMatchObject(unknown);
    expect(await told(key.id)).toEqual(['refused The credential has expired.']);
  });

  test('hears nothing of a client that does not exist', async () => {
    const id = newId();
    const client_id = formatClientId({ organizationId: deployment.organization.organizationId, id });
    await expect(ask({ client_id, client_secret: wrong })).rejects.toMatchObject(unknown);
    expect(await told(id)).toEqual([]);
  });
});
