import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { createApiKey, createServiceAccount } from '#shared/credentials/issue.ts';
import { authenticate } from '#shared/platform/auth/authenticate.ts';
import { credentials } from '#shared/platform/auth/credential.ts';
import { forgetKeySet } from '#shared/platform/auth/key-set.ts';
import { signAccessToken } from '#shared/platform/auth/signing.ts';
import { formatKey, newSecret, parseClientId, parseKey } from '#shared/platform/auth/token-format.ts';
import { nowMs, setClock } from '#shared/platform/runtime/clock.ts';
import type { Connections } from '#shared/platform/runtime/connections.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import { entryIn, inboxKey } from '#shared/platform/table/changes.ts';
import { queryRows } from '#shared/platform/table/io/read.ts';
import { type Deployment, startDeployment } from '../../../support/credentials-store.ts';
import { injectFaults } from '../../../support/faults.ts';

let deployment: Deployment;
beforeAll(async () => {
  deployment = await startDeployment();
});
afterEach(() => setClock());
afterAll(() => deployment.store.stop());

const bearer = (token: string) => `Bearer ${token}`;
const later = (seconds: number) => {
  const from = nowMs();
  setClock(() => from + seconds * 1000);
};
const newKey = (expiresAt: string | null = null) =>
  createApiKey(deployment.table, { name: 'CI', scopes: ['findings:read'], expiresAt });
const refused = (connections: Connections, header: string) =>
  expect(authenticate(connections, header)).rejects.toMatchObject({ code: 'unauthorized' });

/** A token of our own key, for a credential that the test stores. */
const tokenOf = (claims: object) =>
  signAccessToken(deployment.connections, { org: deployment.organization.organizationId, ...claims } as never);
const store = (row: object) => {
  const id = newId();
  const stored = { id, name: 'x', secrets: [], ...row } as never;
  return deployment.table
    .rows(credentials)
    .put(stored)
    .then(() => id);
};

test('the secret of an account or a machine is no API key, although it is right', async () => {
  const { clientId, clientSecret } = await createServiceAccount(deployment.table, { name: 'night', role: 'admin' });
  const place = parseClientId(clientId) ?? expect.fail();
  await refused(deployment.connections, bearer(formatKey('exk', place, clientSecret.slice(-49))));
});

test('an access token opens no credential of another kind', async () => {
  const key = await newKey();
  const claims = { sub: key.id, kind: 'service_account', role: 'admin', name: 'CI' };
  await refused(deployment.connections, bearer(await tokenOf(claims)));
});

test('an access token ends with the credential behind it', async () => {
  const expiresAt = new Date(nowMs() + 10_000).toISOString();
  const { id } = await createServiceAccount(deployment.table, { name: 'night', role: 'viewer', expiresAt });
  const token = await tokenOf({ sub: id, kind: 'service_account', role: 'viewer', name: 'night' });
  await authenticate(deployment.connections, bearer(token));
  later(10);
  await refused(deployment.connections, bearer(token));
});

test('a token that is sent again is verified once, and ends with its hour and with the keys that verified it', async () => {
  const { id } = await createServiceAccount(deployment.table, { name: 'night', role: 'viewer' });
  const { connections } = deployment.process();
  const verify = vi.spyOn(crypto.subtle, 'verify');
  const claims = { sub: id, kind: 'service_account', role: 'viewer', name: 'night' };
  const token = bearer(await tokenOf(claims));
  for (const _ of [1, 2]) expect(await authenticate(connections, token)).toMatchObject({ id, role: 'viewer' });
  expect(verify).toHaveBeenCalledTimes(1);
  await refused(connections, `${token.slice(0, -10)}AAAAAAAAAA`);
  later(3_570);
  await authenticate(connections, token);
  await authenticate(connections, token);
  expect(verify).toHaveBeenCalledTimes(3);
  later(30);
  await refused(connections, token);
});

test('a token of an earlier generation is refused, one of the present or a later one is not', async () => {
  const id = await store({ kind: 'machine', machine: 'scanner', generation: 2, disabled: true });
  const claims = { sub: id, kind: 'machine', machine: 'scanner', name: 'north' };
  for (const generation of [undefined, 0, 1])
    await refused(deployment.connections, bearer(await tokenOf({ ...claims, generation })));
  const { organizationId } = deployment.organization;
  for (const generation of [2, 3])
    expect(await authenticate(deployment.connections, bearer(await tokenOf({ ...claims, generation })))).toEqual({
      id,
      organizationId,
      name: 'north',
      kind: 'machine',
      machine: 'scanner',
      generation,
      disabled: true,
    });
});

test('a use by access token is noted like that of a key', async () => {
  const { id } = await createServiceAccount(deployment.table, { name: 'night', role: 'viewer' });
  await authenticate(
    deployment.connections,
    bearer(await tokenOf({ sub: id, kind: 'service_account', role: 'viewer', name: 'night' })),
  );
  const row = await deployment.table.rows(credentials).find({ id }, true);
  expect(nowMs() - Date.parse(row?.lastUsedAt ?? '')).toBeLessThan(60_000);
});

test('the audit log records each refusal of an existing credential, with its reason', async () => {
  const told = async (id: string) => {
    const { dynamo, tenant } = deployment.table;
    const { pk, sk: prefix } = inboxKey(tenant, '');
    const entries = (await queryRows(dynamo, { pk, prefix, consistent: true })).map(entryIn);
    return entries.flatMap(({ by, event }) => (by.id === id ? [`${by.kind} ${event?.kind}: ${event?.reason}`] : []));
  };
  const [wrong, ended] = [await newKey(), await newKey(new Date(nowMs() + 1000).toISOString())];
  const place = parseKey('exk', wrong.secret) ?? expect.fail();
  await refused(deployment.connections, bearer(formatKey('exk', place, newSecret())));
  expect(await told(wrong.id)).toEqual(['api_key refused: The secret was wrong.']);
  later(30);
  await refused(deployment.connections, bearer(ended.secret));
  expect(await told(ended.id)).toEqual(['api_key refused: The credential has expired.']);
  const scanner = await store({ kind: 'machine', machine: 'scanner', generation: 1 });
  const claims = { sub: scanner, kind: 'machine', machine: 'scanner', name: 'north' };
  await refused(deployment.connections, bearer(await tokenOf(claims)));
  expect(await told(scanner)).toEqual([expect.stringMatching(/^machine refused: This access token has ended/)]);
});

test('a table that does not answer is a failure of the service, not an invalid token', async () => {
  const { connections } = deployment.process();
  const token = bearer(await tokenOf({ sub: newId(), kind: 'service_account', role: 'viewer', name: 'night' }));
  forgetKeySet(connections.dynamo);
  injectFaults(connections.dynamo, {
    random: () => 1,
    before: () => {
      throw new Error('the table is away');
    },
  });
  await expect(authenticate(connections, token)).rejects.toThrow('the table is away');
});

test('the answer to each wrong header says what to send instead', async () => {
  const told: [string | undefined, RegExp][] = [
    [undefined, /^Send a credential/],
    ['Basic abc', /must be Bearer/],
    ['Bearer a b', /must be Bearer/],
    ['Bearer exk_x', /damaged/],
    ['Bearer exl_x', /only links a machine/],
    ['Bearer a.b.c', /invalid here or has expired/],
    ['Bearer x', /neither an API key/],
  ];
  for (const [header, message] of told)
    await expect(authenticate(deployment.connections, header)).rejects.toThrow(message);
  const { secret } = await newKey();
  for (const header of [`bearer ${secret}`, `Bearer   ${secret}  `])
    expect(await authenticate(deployment.connections, header)).toMatchObject({ name: 'CI' });
});
