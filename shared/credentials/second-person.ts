import type { Table } from '#shared/platform/table/table.ts';
import { apiKeys } from './api-key.ts';

/**
 * Whether an account is another person than the requester: the maker of an API key is responsible for the key's
 * requests.
 * @param askedBy the id of an account or API key
 */
export async function isSecondPerson(table: Table, account: { id: string }, askedBy: string): Promise<boolean> {
  if (account.id === askedBy) return false;
  const key = await table.find(apiKeys, askedBy);
  return key?.createdBy.id !== account.id;
}
