import { afterAll, beforeAll, expect, test } from 'vitest';
import { credentialHandlers } from '#functions/credentials/credentials/handlers.ts';
import { createAccount, updateAccount } from '#functions/credentials/credentials/service-accounts.ts';
import { showCredential, showCredentials } from '#functions/credentials/credentials/show.ts';
import { apiKeys } from '#shared/credentials/api-key.ts';
import { createApiKey, createLinkToken, createServiceAccount } from '#shared/credentials/issue.ts';
import { linkTokens } from '#shared/credentials/link-token.ts';
import { revoke } from '#shared/credentials/revoke.ts';
import { serviceAccounts } from '#shared/credentials/service-account.ts';
import { listStaff, MAX_STAFF, staffRows } from '#shared/credentials/staff.ts';
import { credentials } from '#shared/platform/auth/credential.ts';
import type { Caller, Role } from '#shared/platform/auth/permissions.ts';
import { type Place, placeRows } from '#shared/platform/quotas/places.ts';
import { inSeconds } from '#shared/platform/runtime/clock.ts';
import { newId, shortId } from '#shared/platform/runtime/ids.ts';
import { putRows } from '#shared/platform/table/io/put-rows.ts';
import { GLOBAL_SCOPE } from '#shared/platform/table/layout/keys.ts';
import { type Deployment, startDeployment } from '../../../support/credentials-store.ts';

let deployment: Deployment;
beforeAll(async () => {
  deployment = await startDeployment();
});
afterAll(() => deployment.store.stop());

const callerOf = (role: Role): Caller => ({
  id: 'x',
  name: 'x',
  organizationId: deployment.organization.organizationId,
  kind: 'service_account',
  role,
});
const create = (role: Role, by: Role) =>
  createAccount({
    table: deployment.table,
    caller: callerOf(by),
    body: { name: 'one', role, email: null, skills: [], expiresAt: null },
  } as never);
const update = (id: string, body: object, by: Role = 'admin') =>
  updateAccount({ table: deployment.table, caller: callerOf(by), params: { id }, body } as never);

test('a deployment has so many staff accounts that a client can read them all, and not one more', async () => {
  const { dynamo } = deployment.store;
  const current = await listStaff(dynamo);
  const more = Array.from({ length: MAX_STAFF - current.length - 1 }, () => ({ id: newId(), name: 'x' }));
  const rows = more.map((one) => ({ ...one, email: null, skills: [] }));
  await putRows({ dynamo, tenant: GLOBAL_SCOPE }, staffRows, rows);
  const last = await create('pentester', 'manager');
  await expect(create('pentester', 'manager')).rejects.toMatchObject({ code: 'conflict' });
  const listed = await listStaff(dynamo);
  expect(listed).toHaveLength(MAX_STAFF);
  expect(listed.map(({ id }) => id)).toEqual(
    listed
      .map(({ id }) => id)
      .toSorted()
      .reverse(),
  );
  await create('admin', 'platform_owner');
  await revoke(deployment.table, serviceAccounts, last.id);
  await create('pentester', 'manager');
});

test('the new name of an account is that of its next access tokens, and a request without changes writes nothing', async () => {
  const { table } = deployment;
  const { id } = await createServiceAccount(table, { name: 'night', role: 'viewer' });
  const nameOf = async () => (await table.rows(credentials).find({ id }, true))?.name;
  expect(await update(id, {})).toMatchObject({ name: 'night', version: 1 });
  expect(await update(id, { name: 'night' })).toMatchObject({ version: 1 });
  expect(await update(id, { name: 'day' })).toMatchObject({ name: 'day', version: 2, lastUsedAt: null });
  expect(await nameOf()).toBe('day');
  await expect(update(id, { email: 'a@b.example' })).rejects.toMatchObject({ details: [{ path: 'email' }] });
  expect(await nameOf()).toBe('day');
});

test('a revoked account is not changed and does not come back', async () => {
  const { table } = deployment;
  const { id } = await createServiceAccount(table, { name: 'night', role: 'viewer' });
  await revoke(table, serviceAccounts, id);
  await expect(update(id, { name: 'day' })).rejects.toMatchObject({ code: 'conflict' });
  expect(await table.get(serviceAccounts, id, true)).toMatchObject({ name: 'night', status: 'revoked', version: 2 });
  expect(await table.rows(credentials).find({ id }, true)).toBeUndefined();
});

test('who cannot give a role cannot change an account of that role', async () => {
  const { id } = await createServiceAccount(deployment.table, { name: 'boss', role: 'admin' });
  await expect(update(id, { name: 'mine' }, 'analyst')).rejects.toMatchObject({ code: 'insufficient_scope' });
  await expect(create('admin', 'analyst')).rejects.toMatchObject({ code: 'insufficient_scope' });
});

test('a revoked account or link token gives its place back at once, and a repeated call answers the same', async () => {
  const { table } = deployment;
  const held = async (kind: Place['kind'], id: string) =>
    `n${shortId(id)}` in ((await table.rows(placeRows).find({ kind }, true)) ?? {});
  const account = await createServiceAccount(table, { name: 'night', role: 'viewer' });
  const limits = { maxUses: 1, expiresAt: inSeconds(60), zone: null, group: null };
  const token = await createLinkToken(table, { kind: 'scanner', ...limits });
  expect([await held('service-accounts', account.id), await held('link-tokens', token.id)]).toEqual([true, true]);
  const first = await revoke(table, serviceAccounts, account.id);
  expect(await revoke(table, serviceAccounts, account.id)).toEqual(first);
  await revoke(table, linkTokens, token.id);
  expect([await held('service-accounts', account.id), await held('link-tokens', token.id)]).toEqual([false, false]);
  expect(await table.get(serviceAccounts, account.id, true)).toMatchObject({ version: 2, revokedAt: first.deletedAt });
});

test('the last use of an existing credential is shown; an expired credential is shown as expired', async () => {
  const { table } = deployment;
  const make = (expiresAt: string | null) => createApiKey(table, { name: 'CI', scopes: ['soc:read'], expiresAt });
  const [used, unused, ended] = [await make(null), await make(null), await make(inSeconds(60))];
  const lastUsedAt = inSeconds(-10);
  await table.rows(credentials).set({ id: used.id }, { lastUsedAt });
  const records = await table.findMany(apiKeys, [used.id, unused.id, ended.id], true);
  const shown = await showCredentials(
    table,
    records.map((one) => (one.id === ended.id ? { ...one, expiresAt: inSeconds(-1) } : one)),
  );
  expect(shown.map((one) => [one.status, one.lastUsedAt])).toEqual([
    ['active', lastUsedAt],
    ['active', null],
    ['expired', null],
  ]);
  await revoke(table, apiKeys, used.id);
  expect(await showCredential(table, await table.get(apiKeys, used.id, true))).toMatchObject({
    status: 'revoked',
    lastUsedAt: null,
  });
});

test('a machine that was removed a moment ago gets no new secret', async () => {
  const { table } = deployment;
  const caller = { ...callerOf('viewer'), id: newId(), kind: 'machine', machine: 'scanner' };
  const call = { table, caller, body: { overlapSeconds: 0 } } as never;
  await expect(credentialHandlers.rotateMachineSecret(call)).rejects.toMatchObject({ code: 'not_found' });
});
