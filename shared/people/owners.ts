import { assertMayGive } from '#shared/credentials/give-role.ts';
import { serviceAccounts } from '#shared/credentials/service-account.ts';
import type { Caller, Holder } from '#shared/platform/auth/permissions.ts';
import { conflict, Overtaken } from '#shared/platform/runtime/errors.ts';
import type { Write } from '#shared/platform/table/io/commit.ts';
import { defineRow, putWrite } from '#shared/platform/table/io/row.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { isActiveOwner, type User, users } from './user.ts';

async function countOwners(table: Table): Promise<number> {
  const tallies = await Promise.all([
    table.tally(serviceAccounts, 'role', 'owner', true),
    table.tally(users, 'role', 'owner', true),
  ]);
  return tallies.reduce((sum, { n = 0 }) => sum + n, 0);
}

/**
 * The caller may give the role to somebody. Where nobody is an owner, an administrator makes the first one.
 * @throws insufficient_scope
 */
export async function assertMayAppoint(table: Table, caller: Caller, given: Holder): Promise<void> {
  const isAdministrator = 'role' in caller && caller.role === 'admin';
  if (isAdministrator && given.role === 'owner' && (await countOwners(table)) === 0) return;
  assertMayGive(caller, given);
}

/** Counts the times that an owner ended: of two owners who end each other one is refused. */
export const ownerGuards = defineRow<{ ended: number }, object>({
  name: 'owner-guard',
  about: 'counts how often a user stopped being an active owner, so that two of them cannot stop at once',
  key: () => ['all'],
});

/** The write with which an active owner may stop being one. @throws conflict for the last owner */
export async function ownerWrites(table: Table, before: User, after: User): Promise<Write[]> {
  if (!isActiveOwner(before) || isActiveOwner(after)) return [];
  // before the count: an owner who ends after it makes the write fail
  const guard = await table.rows(ownerGuards).find({}, true);
  const [accounts, people] = await Promise.all([
    table.tally(serviceAccounts, 'role', 'owner', true),
    table.tally(users, 'active', 'owner', true),
  ]);
  if ((accounts.n ?? 0) + (people.n ?? 0) <= 1)
    throw conflict('An organization keeps an owner: make another owner first.');
  const row = { ended: (guard?.ended ?? 0) + 1 };
  const expect = guard ?? ('absent' as const);
  return [putWrite(table.tenant, ownerGuards, { row, expect, fail: () => new Overtaken() })];
}
