import { assertMayRevoke } from '#shared/credentials/give-role.ts';
import { hasFeed, leaveCredentials } from '#shared/credentials/made.ts';
import { revoke } from '#shared/credentials/revoke.ts';
import { heldRole } from '#shared/credentials/role.ts';
import { serviceAccounts } from '#shared/credentials/service-account.ts';
import { endAccount } from '#shared/organizations/end-account.ts';
import { withSecondPerson } from '#shared/people/second-person.ts';
import type { Call } from '#shared/platform/http/route.ts';
import { conflict } from '#shared/platform/runtime/errors.ts';
import type { credentialRoutes } from './routes.ts';

/**
 * Revokes an account, then the credentials that it made. In this order the account makes no credential in between: a
 * transaction that makes a credential checks the credential of its maker. A repeated call continues a failed one.
 */
export async function revokeAccount(call: Call<typeof credentialRoutes.revokeServiceAccount>) {
  const { table, caller, params, query } = call;
  if (caller.id === params.id) throw conflict('A service account cannot revoke itself. Use another service account.');
  const account = await table.get(serviceAccounts, params.id);
  assertMayRevoke(caller, await heldRole(table, account));
  const end = () =>
    endAccount(call, { from: params.id, to: query.handOverTo }, async () => {
      const calendarFeed = await hasFeed(table, params.id);
      const deletion = await revoke(table, serviceAccounts, params.id);
      const { made, remaining } = await leaveCredentials(table, params.id, query.revoke === 'all');
      return { ...deletion, made: { ...made, calendarFeed }, remaining };
    });
  return account.role === 'owner' && account.revokedAt === null ? withSecondPerson(call, end) : end();
}
