import { serviceAccounts } from '#shared/credentials/service-account.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { users } from './user.ts';

/** The names of users and service accounts, also of those that left, by their ids. */
export async function accountNames(table: Table, ids: readonly string[]): Promise<Map<string, string>> {
  const [accounts, people] = await Promise.all([table.findMany(serviceAccounts, ids), table.findMany(users, ids)]);
  return new Map([...accounts, ...people].map(({ id, name }) => [id, name]));
}
