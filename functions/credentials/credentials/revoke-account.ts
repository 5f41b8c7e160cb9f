import { apiKeys } from '#shared/credentials/api-key.ts';
import { feedTokens } from '#shared/credentials/calendar-feed.ts';
import { linkTokens } from '#shared/credentials/link-token.ts';
import { type Revocable, revoke } from '#shared/credentials/revoke.ts';
import { serviceAccounts } from '#shared/credentials/service-account.ts';
import type { Call } from '#shared/platform/http/route.ts';
import { conflict } from '#shared/platform/runtime/errors.ts';
import type { Entity } from '#shared/platform/table/entity.ts';
import type { Table } from '#shared/platform/table/table.ts';
import type { credentialRoutes } from './routes.ts';
import { assertMayRevoke } from './rules.ts';

/** So many of a kind are answered, and revoked, by one request. */
const MAX_CREATED = 500;

type MadeRecord = Revocable & { name?: string | null };

/**
 * Revokes an account, then the credentials that it made. In this order the account makes no credential in between: a
 * transaction that makes a credential checks the credential of its maker. A repeated call continues a failed one.
 */
export async function revokeAccount(call: Call<typeof credentialRoutes.revokeServiceAccount>) {
  const { table, caller, params, query } = call;
  if (caller.id === params.id) throw conflict('A service account cannot revoke itself. Use another service account.');
  assertMayRevoke(caller, (await table.get(serviceAccounts, params.id)).role);
  const feed = await table.rows(feedTokens).find({ personId: params.id }, true);
  const deletion = await revoke(table, serviceAccounts, params.id);
  const revokes = query.revoke === 'all';
  const keys = await madeBy(table, apiKeys, { accountId: params.id, revokes });
  const tokens = await madeBy(table, linkTokens, { accountId: params.id, revokes });
  const accounts = await madeBy(table, serviceAccounts, { accountId: params.id, revokes: false });
  const made = { apiKeys: keys.made, linkTokens: tokens.made, serviceAccounts: accounts.made };
  const remaining = keys.remaining + tokens.remaining + accounts.remaining;
  return { ...deletion, made: { ...made, calendarFeed: feed !== undefined }, remaining };
}

/** The unrevoked credentials of one kind that an account made; revokes them on request. */
async function madeBy<T extends MadeRecord>(
  table: Table,
  entity: Entity<T>,
  { accountId, revokes }: { accountId: string; revokes: boolean },
) {
  const where = { createdBy: accountId, revoked: 'false' };
  const { data, totalCount } = await table.list(entity, { paginateFrom: 0, paginateSize: MAX_CREATED, where });
  const made: { id: string; name: string | null; revokedAt: string | null }[] = [];
  for (const { id, name = null } of data) {
    const revokedAt = revokes ? (await revoke(table, entity, id)).deletedAt : null;
    made.push({ id, name, revokedAt });
  }
  return { made, remaining: totalCount - made.length };
}
