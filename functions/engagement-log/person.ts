import type { Caller } from '#shared/auth/permissions.ts';
import { serviceAccounts } from '#shared/entities/service-account.ts';
import { invalid } from '#shared/http/errors.ts';
import type { Table } from '#shared/table/table.ts';

/** @throws validation_failed for somebody who is not here */
export async function personNamed(table: Table, caller: Caller, id: string): Promise<{ id: string; name: string }> {
  if (id === caller.id) return { id, name: caller.name };
  const account = await table.find(serviceAccounts, id);
  if (!account || account.revokedAt !== null) throw invalid('personId', `nobody here has the id ${id}`);
  return { id, name: account.name };
}
