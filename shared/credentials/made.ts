import type { Entity } from '#shared/platform/table/entity.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { apiKeys } from './api-key.ts';
import { feedTokens } from './calendar-feed.ts';
import { linkTokens } from './link-token.ts';
import { type Revocable, revoke } from './revoke.ts';
import { serviceAccounts } from './service-account.ts';

/** So many of a kind are answered, and revoked, by one request. */
const MAX_CREATED = 500;

type MadeRecord = Revocable & { name?: string | null };

/** The credentials that an account made and that still worked; `revokes`: its keys and link tokens are revoked now. */
export async function leaveCredentials(table: Table, accountId: string, revokes: boolean) {
  const keys = await madeBy(table, apiKeys, { accountId, revokes });
  const tokens = await madeBy(table, linkTokens, { accountId, revokes });
  const accounts = await madeBy(table, serviceAccounts, { accountId, revokes: false });
  const made = { apiKeys: keys.made, linkTokens: tokens.made, serviceAccounts: accounts.made };
  return { made, remaining: keys.remaining + tokens.remaining + accounts.remaining };
}

export const hasFeed = async (table: Table, personId: string): Promise<boolean> =>
  (await table.rows(feedTokens).find({ personId }, true)) !== undefined;

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
