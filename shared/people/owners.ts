import { assertMayGive } from '#shared/credentials/give-role.ts';
import { serviceAccounts } from '#shared/credentials/service-account.ts';
import type { Caller, Holder } from '#shared/platform/auth/permissions.ts';
import { conflict } from '#shared/platform/runtime/errors.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { users } from './user.ts';

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

/** @throws conflict where the only owner would get another role */
export async function assertOwnerStays(table: Table, before: string, after: string): Promise<void> {
  if (before !== 'owner' || after === 'owner' || (await countOwners(table)) > 1) return;
  throw conflict('An organization keeps an owner: make another owner first.');
}
