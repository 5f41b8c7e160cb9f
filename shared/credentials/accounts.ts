import { type Credential, isExpired, readCredential } from '#shared/platform/auth/credential.ts';
import type { Table } from '#shared/platform/table/table.ts';

/** A user or a service account that works now. */
type Account = { id: string; name: string; role: string; part?: Credential['part'] };

/** The working accounts of the organization with these ids, by id. The credential is what shows that an account works. */
export async function workingAccounts(table: Table, ids: readonly string[]): Promise<Map<string, Account>> {
  const { dynamo, organizationId } = table;
  const found = await Promise.all([...new Set(ids)].map((id) => readCredential(dynamo, { organizationId, id })));
  const accounts = found.flatMap((credential): Account[] => {
    if (!credential?.role || isExpired(credential)) return [];
    const { id, name, role, part } = credential;
    return [{ id, name, role, ...(part && { part }) }];
  });
  return new Map(accounts.map((account) => [account.id, account]));
}

export const workingAccount = async (table: Table, id: string): Promise<Account | undefined> =>
  (await workingAccounts(table, [id])).get(id);
