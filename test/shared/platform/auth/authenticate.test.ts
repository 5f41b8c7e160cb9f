import { createHmac } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { apiKeys } from '#shared/credentials/api-key.ts';
import { createApiKey, createServiceAccount } from '#shared/credentials/issue.ts';
import { revoke } from '#shared/credentials/revoke.ts';
import { authenticate } from '#shared/platform/auth/authenticate.ts';
import { rotateSecret } from '#shared/platform/auth/credential.ts';
import { publicKeys } from '#shared/platform/auth/key-set.ts';
import { signAccessToken } from '#shared/platform/auth/signing.ts';
import { formatKey, newSecret, parseClientId, parseKey } from '#shared/platform/auth/token-format.ts';
import { nowMs, setClock } from '#shared/platform/runtime/clock.ts';
import type { Connections } from '#shared/platform/runtime/connections.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import { type Deployment, startDeployment } from '../../../support/credentials-store.ts';

let deployment: Deployment;
let other: Deployment;
beforeAll(async () => {
  deployment = await startDeployment('urn:test:one');
  other = await startDeployment('urn:test:two');
});
afterEach(() => setClock());
afterAll(() => Promise.all([deployment.store.stop(), other.store.stop()]));

const bearer = (token: string) => `Bearer ${token}`;
const later = (seconds: number) => {
  const from = nowMs();
  setClock(() => from + seconds * 1000);
};
const newKey = (expiresAt: string | null = null) =>
  createApiKey(deployment.table, { name: 'CI', scopes: ['findings:read'], expiresAt });
const idOf = (clientId: string) => parseClientId(clientId)?.id ?? '';
const adminToken = ({ connections, organization }: Deployment) =>
  signAccessToken(connections, {
    sub: idOf(organization.clientId),
    org: organization.organizationId,
    kind: 'service_account',
    role: 'admin',
    name: 'administrator',
  });

/** Expects a refusal of the interface, without details of the reason. */
const refused = (connections: Connections, header: string | undefined) =>
  expect(authenticate(connections, header)).rejects.toMatchObject({
    code: 'unauthorized',
    message: expect.any(String),
  });

test('an API key authenticates its organization, name and scopes', async () => {
  const key = await newKey();
  expect(await authenticate(deployment.connections, bearer(key.secret))).toEqual({
    kind: 'api_key',
    id: key.id,
    organizationId: deployment.organization.organizationId,
    name: 'CI',
    scopes: ['findings:read'],
  });
});

test('an access token authenticates its service account', async () => {
  expect(await authenticate(deployment.connections, bearer(await adminToken(deployment)))).toEqual({
    kind: 'service_account',
    id: idOf(deployment.organization.clientId),
    organizationId: deployment.organization.organizationId,
    name: 'administrator',
    role: 'admin',
  });
});

test('a working credential costs one read per minute and one write per hour at any frequency of use', async () => {
  const { connections, requests } = deployment.process();
  const key = await newKey();
  await Promise.all(Array.from({ length: 20 }, () => authenticate(connections, bearer(key.secret))));
  expect(requests()).toBe(2);
  later(61);
  await authenticate(connections, bearer(key.secret));
  expect(requests()).toBe(3);
  later(3_600);
  await Promise.all(Array.from({ length: 20 }, () => authenticate(connections, bearer(key.secret))));
  expect(requests()).toBe(5);
});

test('garbage costs no read', async () => {
  const { connections, requests } = deployment.process();
  const { secret } = await newKey();
  const damaged = `${secret.slice(0, -1)}${secret.endsWith('a') ? 'b' : 'a'}`;
  const garbage = [undefined, '', 'Bearer', 'Bearer ', 'Basic abc', bearer('x'), bearer('exk_'), bearer(damaged)];
  const tokens = ['a.b.c', '..', 'e30.e30.', `${'a'.repeat(5000)}.b.c`, 'exl_aaa'].map(bearer);
  for (const header of [...garbage, ...tokens]) await refused(connections, header);
  expect(requests()).toBe(0);
});

test('a key that was never issued is refused and costs one read per minute', async () => {
  const { connections, requests } = deployment.process();
  const place = { organizationId: deployment.organization.organizationId, id: newId() };
  for (let n = 0; n < 3; n++) await refused(connections, bearer(formatKey('exk', place, newSecret())));
  expect(requests()).toBe(1);
});

test('the right id with a wrong secret is refused', async () => {
  const key = await newKey();
  const place = parseKey('exk', key.secret);
  await refused(deployment.connections, bearer(formatKey('exk', place ?? expect.fail(), newSecret())));
});

test('a revoked key is refused at once by the same process, and within a minute by all', async () => {
  const elsewhere = deployment.process();
  const key = await newKey();
  await authenticate(elsewhere.connections, bearer(key.secret));
  await revoke(deployment.table, apiKeys, key.id);
  await refused(deployment.connections, bearer(key.secret));
  later(60);
  await refused(elsewhere.connections, bearer(key.secret));
});

test('a key is refused after its expiry', async () => {
  const key = await newKey(new Date(nowMs() + 10_000).toISOString());
  await authenticate(deployment.connections, bearer(key.secret));
  later(10);
  await refused(deployment.connections, bearer(key.secret));
});

test('an access token of a revoked key is refused', async () => {
  const key = await newKey();
  const { organizationId } = deployment.organization;
  const claims = { sub: key.id, org: organizationId, kind: 'api_key', name: 'CI' } as const;
  const token = await signAccessToken(deployment.connections, { ...claims, scopes: key.scopes });
  await authenticate(deployment.connections, bearer(token));
  await revoke(deployment.table, apiKeys, key.id);
  await refused(deployment.connections, bearer(token));
});

test('a rotation without overlap ends earlier access tokens in every process within a minute, for one read and one entry of the audit log', async () => {
  const elsewhere = deployment.process();
  const { organizationId } = deployment.organization;
  const { id } = await createServiceAccount(deployment.table, { name: 'night', role: 'viewer' });
  const claims = { sub: id, org: organizationId, kind: 'service_account', role: 'viewer', name: 'night' } as const;
  const token = await signAccessToken(deployment.connections, claims);
  const { connections, requests } = elsewhere;
  await authenticate(connections, bearer(token));
  const before = requests();
  await rotateSecret(deployment.store.dynamo, { organizationId, id }, { overlapSeconds: 0 });
  await refused(deployment.connections, bearer(token));
  later(60);
  await refused(connections, bearer(token));
  await authenticate(connections, bearer(await signAccessToken(deployment.connections, { ...claims, generation: 1 })));
  expect(requests()).toBe(before + 2);
});

test('an access token is valid for an hour', async () => {
  const token = await adminToken(deployment);
  const from = nowMs();
  setClock(() => from + 3_598_000);
  await authenticate(deployment.connections, bearer(token));
  setClock(() => from + 3_601_000);
  await refused(deployment.connections, bearer(token));
});

test('a deployment refuses the tokens of another', async () => {
  await refused(deployment.connections, bearer(await adminToken(other)));
});

const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
const decode = (part: string | undefined): Record<string, unknown> =>
  JSON.parse(Buffer.from(part ?? '', 'base64url').toString());

/** The administrator's token with another header or other claims, signed by `sign`. */
async function forged(change: { header?: object; claims?: object }, sign: (text: string) => string) {
  const [header, claims] = (await adminToken(deployment)).split('.');
  const text = `${encode({ ...decode(header), ...change.header })}.${encode({ ...decode(claims), ...change.claims })}`;
  return `${text}.${sign(text)}`;
}

test('a token without a signature is refused', async () => {
  for (const alg of ['none', 'None', 'NONE']) {
    await refused(deployment.connections, bearer(await forged({ header: { alg } }, () => '')));
  }
});

test('a token signed with the public key as a shared secret is refused', async () => {
  const [key] = await publicKeys(deployment.store.dynamo);
  const secrets = [key?.x ?? '', Buffer.from(key?.x ?? '', 'base64url')];
  for (const secret of secrets) {
    const sign = (text: string) => createHmac('sha256', secret).update(text).digest('base64url');
    await refused(deployment.connections, bearer(await forged({ header: { alg: 'HS256' } }, sign)));
  }
});

test('claims that were changed after signing are refused', async () => {
  const [, , signature = ''] = (await adminToken(deployment)).split('.');
  await refused(deployment.connections, bearer(await forged({ claims: { role: 'pentester' } }, () => signature)));
});

/** A deployment with our signing key and another name signs tokens that we must refuse. */
const signedAs = (TOKEN_ISSUER: string, issuer = deployment) =>
  adminToken({
    ...issuer,
    connections: { ...issuer.connections, settings: { ...issuer.connections.settings, TOKEN_ISSUER } },
  });

test('a token of another issuer and audience is refused even if our key signed it', async () => {
  await refused(deployment.connections, bearer(await signedAs('urn:test:elsewhere')));
});

test('invented key ids cause at most one read of the key set per minute', async () => {
  const { connections, requests } = deployment.process();
  await authenticate(connections, bearer(await adminToken(deployment)));
  const before = requests();
  for (let n = 0; n < 10; n++)
    await refused(connections, bearer(await forged({ header: { kid: `k${n}` } }, () => 'AAAA')));
  expect(requests() - before).toBe(1);
  later(61);
  await refused(connections, bearer(await forged({ header: { kid: 'again' } }, () => 'AAAA')));
  expect(requests() - before).toBe(2);
});

test('a token that names another organization is refused', async () => {
  const { connections } = deployment;
  const sub = idOf(deployment.organization.clientId);
  const claims = { sub, org: newId(), kind: 'service_account', role: 'admin', name: 'administrator' } as const;
  await refused(connections, bearer(await signAccessToken(connections, claims)));
});
