import { readCredential } from '#shared/platform/auth/credential.ts';
import { conflict } from '#shared/platform/runtime/errors.ts';
import { type Table, withoutPart } from '#shared/platform/table/table.ts';
import { apiKeys } from './api-key.ts';

/**
 * The accounts whose holder may be behind the requests of an account or API key: the account or key itself, the creator of
 * the key, and the accounts that made the account or gave it a secret, with their makers in turn. Accounts of clients have
 * no makers, because one administrator makes all of them.
 * @param id of an account or API key of the table's organization
 */
export async function holdersOf(table: Table, id: string): Promise<string[]> {
  const { dynamo, organizationId } = table;
  const [credential, key] = await Promise.all([
    readCredential(dynamo, { organizationId, id }),
    withoutPart(table).find(apiKeys, id),
  ]);
  return [...new Set([...(credential?.makers ?? []), ...(key ? [key.createdBy.id] : []), id])];
}

/**
 * Whether an account belongs to another person than the requester, as far as the service can see: they have no holder in
 * common.
 * @param asked the holders of the requester
 */
export async function isSecondPerson(
  table: Table,
  account: { id: string },
  asked: readonly string[],
): Promise<boolean> {
  const holders = await holdersOf(table, account.id);
  return !holders.some((id) => asked.includes(id));
}

/** An end of the present state of an organization needs two people of the provider. @throws conflict for one person */
export async function assertSecondOwner(
  table: Table,
  account: { id: string },
  asked: readonly string[],
): Promise<void> {
  if (await isSecondPerson(table, account, asked)) return;
  throw conflict(
    'A second person must approve: an account that did not create the requesting account, was not created by it, and has another ' +
      'creator. An operator creates such an account with npm run bootstrap.',
  );
}
