import { assertMayRevoke } from '#shared/credentials/give-role.ts';
import { heldRole } from '#shared/credentials/role.ts';
import { identityProviders } from '#shared/people/identity-provider.ts';
import { changeUser } from '#shared/people/move.ts';
import { endSessions, sessionsOf } from '#shared/people/session.ts';
import { roleOf, type User, users } from '#shared/people/user.ts';
import type { Caller } from '#shared/platform/auth/permissions.ts';
import { notFound } from '#shared/platform/runtime/errors.ts';
import { retry } from '#shared/platform/runtime/retry.ts';
import type { Table } from '#shared/platform/table/table.ts';

/** The accounts at identity providers that sign a user in, with the present names of the providers. */
export async function identitiesOf(table: Table, { identities = [] }: User) {
  const providers = await table.findMany(
    identityProviders,
    identities.map(({ providerId }) => providerId),
  );
  const names = new Map(providers.map(({ id, name }) => [id, name]));
  return identities.map(({ providerId, subject }) => ({ providerId, provider: names.get(providerId) ?? '', subject }));
}

type Link = { id: string; providerId: string };

/**
 * Removes the link of a user to an account at a provider, and ends the sessions that began there. Rules of the organization
 * hold as before: the next sign-in at the provider makes a new link.
 * @throws not_found
 */
export async function unlinkIdentity(table: Table, { id, providerId }: Link) {
  const { user, subject } = await retry(async () => {
    const current = await table.get(users, id, true);
    const link = current.identities.find((one) => one.providerId === providerId);
    if (!link) throw notFound('identity', providerId);
    const identities = current.identities.filter((one) => one !== link);
    return { user: await changeUser(table, current, { identities }), subject: link.subject };
  });
  const sessions = await sessionsOf(table.dynamo, user.personId);
  const begun = sessions.filter(({ vouchedBy }) => vouchedBy?.providerId === providerId);
  await endSessions(table.dynamo, begun);
  return { providerId, subject, ended: begun.length };
}

/** The same by somebody who may suspend the user: only owners unlink owners. @throws not_found, insufficient_scope */
export async function unlinkIdentityOf({ table, caller }: { table: Table; caller: Caller }, link: Link) {
  assertMayRevoke(caller, await heldRole(table, { role: roleOf(await table.get(users, link.id, true)) }));
  return unlinkIdentity(table, link);
}
