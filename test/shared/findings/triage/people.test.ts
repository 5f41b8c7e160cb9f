import { expect, test } from 'vitest';
import { createServiceAccount } from '#shared/credentials/issue.ts';
import { revoke } from '#shared/credentials/revoke.ts';
import { type ServiceAccount, serviceAccounts } from '#shared/credentials/service-account.ts';
import { approvedBy, approverId, peopleOf, personOf } from '#shared/findings/triage/people.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { newOrganization, useStore } from '../../../support/store.ts';

const store = useStore();
const caller = { kind: 'user', id: 'ann', name: 'Ann', organizationId: newId(), role: 'analyst' } as const;
const me = { id: 'ann', name: 'Ann' };

const account = (table: Table, { role = 'analyst', expiresAt = null }: Partial<ServiceAccount> = {}) =>
  createServiceAccount(table, { name: 'Bea', role, expiresAt });
const refusal = (
  path: string,
  message = 'must be the id of an active user or service account of this organization, or your own: ann',
) => ({
  code: 'validation_failed',
  details: [{ path, message }],
});
const WHO_APPROVES =
  'must be the id of an account with the role analyst, admin or owner: an API key approves nothing. Everybody sees the own id in GET /api/v1/users/me, and the ids of all users in GET /api/v1/users';

test('a decision names its caller, or an existing service account', async () => {
  const table = newOrganization(store.dynamo);
  const { id } = await account(table);
  const bea = { id, name: 'Bea' };
  expect(await peopleOf(table, caller, {})).toEqual({ assignee: undefined, approver: me });
  expect(await peopleOf(table, caller, { assigneeId: null, approverId: null })).toEqual({
    assignee: undefined,
    approver: me,
  });
  expect(await peopleOf(table, caller, { assigneeId: 'ann', approverId: id })).toEqual({ assignee: me, approver: bea });
  expect(await peopleOf(table, caller, { assigneeId: id })).toEqual({ assignee: bea, approver: me });
});

test('an account that was revoked is given no work, and approves nothing, as one of another organization', async () => {
  const table = newOrganization(store.dynamo);
  const revoked = await account(table);
  await revoke(table, serviceAccounts, revoked.id);
  const stranger = await account(newOrganization(store.dynamo));
  for (const { id } of [revoked, stranger]) {
    await expect(peopleOf(table, caller, { assigneeId: id })).rejects.toMatchObject(refusal('assigneeId'));
    await expect(peopleOf(table, caller, { approverId: id })).rejects.toMatchObject(
      refusal('approverId', WHO_APPROVES),
    );
    await expect(personOf(table, caller, { path: 'x', id })).rejects.toMatchObject(refusal('x'));
  }
});

test('a viewer, an expired account and an API key approve nothing', async () => {
  const table = newOrganization(store.dynamo);
  const expired = await account(table, { expiresAt: '2020-01-05T08:00:00.000Z' });
  for (const { id } of [expired, await account(table, { role: 'viewer' })])
    await expect(peopleOf(table, caller, { approverId: id })).rejects.toMatchObject(
      refusal('approverId', WHO_APPROVES),
    );
  const { role: _role, ...who } = caller;
  const key = { ...who, kind: 'api_key', scopes: ['findings:write'] } as const;
  for (const named of [{}, { approverId: key.id }])
    expect((await peopleOf(table, key, named)).approver).toBe(undefined);
  expect(() => approvedBy(undefined)).toThrow(WHO_APPROVES);
});

test('an approver is named by an id of 1 to 120 characters', () => {
  const taken = ['', 'a', 'a'.repeat(120), 'a'.repeat(121)].map((id) => approverId.safeParse(id).success);
  expect(taken).toEqual([false, true, true, false]);
});
