import { afterAll, beforeAll, expect, test } from 'vitest';
import { apiKeys } from '#shared/credentials/api-key.ts';
import { bootstrap, createOrganization } from '#shared/credentials/bootstrap.ts';
import { linkTokens } from '#shared/credentials/link-token.ts';
import { organizations } from '#shared/credentials/organization.ts';
import { revoke } from '#shared/credentials/revoke.ts';
import { serviceAccounts } from '#shared/credentials/service-account.ts';
import { authenticate } from '#shared/platform/auth/authenticate.ts';
import { rotateSecret } from '#shared/platform/auth/credential.ts';
import { readKeySet } from '#shared/platform/auth/key-set.ts';
import { SCOPES } from '#shared/platform/auth/permissions.ts';
import { parseClientId } from '#shared/platform/auth/token-format.ts';
import { GLOBAL_SCOPE } from '#shared/platform/table/layout/keys.ts';
import { openTable } from '#shared/platform/table/table.ts';
import { type Deployment, startDeployment } from '../../support/credentials-store.ts';

let deployment: Deployment;
beforeAll(async () => {
  deployment = await startDeployment();
});
afterAll(() => deployment.store.stop());

const paging = { paginateFrom: 0, paginateSize: 10 };
const organizationCount = async () =>
  (await openTable(deployment.store.dynamo, GLOBAL_SCOPE).list(organizations, paging)).totalCount;

test('the first start makes an organization, an API key with every scope and a link token for scanners', async () => {
  const made = await bootstrap(deployment.connections);
  const caller = await authenticate(deployment.connections, `Bearer ${made.apiKey}`);
  expect(caller).toMatchObject({ organizationId: made.organizationId, scopes: Object.keys(SCOPES) });
  const { data } = await openTable(deployment.store.dynamo, made.organizationId).list(linkTokens, paging);
  expect(data).toMatchObject([{ kind: 'scanner', status: 'active', uses: 0, maxUses: 100, zone: null, group: null }]);
  const hours = (Date.parse(data[0]?.expiresAt ?? '') - Date.now()) / 3_600_000;
  expect(hours).toBeCloseTo(24, 1);
});

test('a later start keeps the printed credentials, and only the link token is new', async () => {
  const first = await bootstrap(deployment.connections);
  const [before, keys] = [await organizationCount(), await readKeySet(deployment.store.dynamo)];
  const second = await bootstrap(deployment.connections, first);
  expect({ ...second, linkToken: '' }).toEqual({ ...first, linkToken: '' });
  expect(second.linkToken).not.toBe(first.linkToken);
  expect(await organizationCount()).toBe(before);
  expect(await readKeySet(deployment.store.dynamo)).toEqual(keys);
});

test('a start whose credentials no longer work makes new ones', async () => {
  const first = await bootstrap(deployment.connections);
  const table = openTable(deployment.store.dynamo, first.organizationId);
  const [key] = (await table.list(apiKeys, paging)).data;
  await revoke(table, apiKeys, key?.id ?? '');
  for (const earlier of [first, { ...first, apiKey: 'exk_x' }, { ...first, clientSecret: '' }]) {
    const second = await bootstrap(deployment.connections, earlier);
    expect(second.organizationId).not.toBe(first.organizationId);
    await authenticate(deployment.connections, `Bearer ${second.apiKey}`);
  }
});

test('a start makes new credentials where the administrator cannot sign in any more, though the key works', async () => {
  const { connections, store } = deployment;
  const revoked = await bootstrap(connections);
  const [account] = (await openTable(store.dynamo, revoked.organizationId).list(serviceAccounts, paging)).data;
  await revoke(openTable(store.dynamo, revoked.organizationId), serviceAccounts, account?.id ?? '');
  const rotated = await bootstrap(connections);
  await rotateSecret(store.dynamo, parseClientId(rotated.clientId) ?? expect.fail(), { overlapSeconds: 0 });
  const other = await bootstrap(connections);
  for (const earlier of [
    revoked,
    rotated,
    { ...other, clientId: 'x' },
    { ...other, apiKey: rotated.apiKey.slice(1) },
  ]) {
    const next = await bootstrap(connections, earlier);
    expect(next.organizationId).not.toBe(earlier.organizationId);
  }
});

test('organizations share no records', async () => {
  const [one, two] = [
    await createOrganization(deployment.connections, 'One'),
    await createOrganization(deployment.connections, 'Two', { role: 'platform_owner' }),
  ];
  expect(new Set([...Object.values(one), ...Object.values(two)]).size).toBe(8);
});
