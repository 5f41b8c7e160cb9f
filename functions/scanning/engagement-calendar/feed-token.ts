import { feedTokens } from '#shared/credentials/calendar-feed.ts';
import { orStaff, readsScans } from '#shared/platform/auth/access.ts';
import { findCredential, isExpired } from '#shared/platform/auth/credential.ts';
import { type Caller, isAllowed } from '#shared/platform/auth/permissions.ts';
import { withGrants } from '#shared/platform/auth/role-grants.ts';
import { formatKey, hashSecret, matchesHash, newSecret, parseKey } from '#shared/platform/auth/token-format.ts';
import { countRequest } from '#shared/platform/http/fair-use.ts';
import { now } from '#shared/platform/runtime/clock.ts';
import type { Dynamo } from '#shared/platform/runtime/dynamo.ts';
import { ApiError } from '#shared/platform/runtime/errors.ts';
import { openTable, type Table } from '#shared/platform/table/table.ts';

/** The callers whose calendar a feed shows. */
const mayReadCalendar = orStaff('pentester', readsScans);

/** Makes a token that opens the feed of this caller and nothing else. */
export async function issueFeedToken(table: Table, { id, organizationId }: Caller): Promise<string> {
  const secret = newSecret();
  await table.rows(feedTokens).put({ personId: id, hash: hashSecret(secret) });
  return formatKey('exf', { organizationId, id }, secret);
}

/** Ends the token at once; without one nothing happens. */
export async function endFeedToken(table: Table, { id }: Caller) {
  await table.rows(feedTokens).remove({ personId: id });
  return { id, deletedAt: now() };
}

const closed = () =>
  new ApiError('unauthorized', 'The token of the feed is unknown or has ended: create a new feed and subscribe again.');

/** The owner of the token, with the current state of the account or API key. @throws unauthorized */
export async function readerOf(dynamo: Dynamo, token: string): Promise<{ table: Table; caller: Caller }> {
  const key = parseKey('exf', token);
  if (!key) throw closed();
  const { organizationId, id } = key;
  const table = openTable(dynamo, organizationId);
  const [row, credential] = await Promise.all([
    table.rows(feedTokens).find({ personId: id }, true),
    findCredential(dynamo, { organizationId, id }),
  ]);
  if (!row || !matchesHash(key.secret, row.hash) || !credential || isExpired(credential)) throw closed();
  const { name, kind, role, scopes = [] } = credential;
  const who = { id, organizationId, name };
  const caller: Caller =
    kind === 'api_key'
      ? { ...who, kind, scopes }
      : await withGrants(dynamo, organizationId, { ...who, kind: 'service_account', role: role ?? '' } as const);
  if (!isAllowed(caller, mayReadCalendar)) throw closed();
  // not before: a caller who invents tokens must not use up the requests of an organization
  await countRequest(dynamo, organizationId);
  return { table, caller };
}
