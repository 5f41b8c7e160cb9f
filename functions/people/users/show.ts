import type { User } from '#shared/people/user.ts';
import { credentials } from '#shared/platform/auth/credential.ts';
import type { Table } from '#shared/platform/table/table.ts';

/** Users with their last sign-in, which is in the credential; a user without access has no credential. */
export async function showUsers(table: Table, found: readonly User[]): Promise<User[]> {
  const rows = await table.rows(credentials).findMany(found.map(({ id }) => ({ id })));
  const used = new Map(rows.map(({ id, lastUsedAt }) => [id, lastUsedAt]));
  return found.map((user) => ({ ...user, lastSignInAt: used.get(user.id) ?? user.lastSignInAt }));
}

export async function showUser(table: Table, user: User): Promise<User> {
  const [shown] = await showUsers(table, [user]);
  return shown ?? user;
}
