import { assertMayGive, assertMayRevoke } from '#shared/credentials/give-role.ts';
import { hasFeed, leaveCredentials } from '#shared/credentials/made.ts';
import { heldRole, roleChecks, roleToGive } from '#shared/credentials/role.ts';
import { accessWrites } from '#shared/people/access.ts';
import { assertMayAppoint, assertOwnerStays } from '#shared/people/owners.ts';
import { findPerson } from '#shared/people/person.ts';
import { roleOf, type User, userStates, users } from '#shared/people/user.ts';
import { forgetCredential } from '#shared/platform/auth/credential.ts';
import type { Caller } from '#shared/platform/auth/permissions.ts';
import { mergePatch } from '#shared/platform/http/records.ts';
import type { Call } from '#shared/platform/http/route.ts';
import { conflict } from '#shared/platform/runtime/errors.ts';
import { retry } from '#shared/platform/runtime/retry.ts';
import { nextState } from '#shared/platform/runtime/state-machine.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { ChangeableUser, type userRoutes } from './routes.ts';
import { showUser } from './show.ts';

/** The field of a user that names the role. */
export const ROLE = 'roles.0.roleId';

const OFFERS = ['suspend', 'activate', 'deactivate'] as const;
type Verb = (typeof OFFERS)[number];

/** Changes a user together with the credential that follows the user. */
async function changeUser(table: Table, user: User, changes: Partial<User>): Promise<User> {
  const next = await table.update(users, user, changes, (batch, after) =>
    batch.write(...accessWrites(table.organizationId, user, after), ...checksOf(table, after)),
  );
  forgetCredential(table.dynamo, { organizationId: table.organizationId, id: user.id });
  return next;
}

/** A user who has left holds no role. */
const checksOf = (table: Table, user: User) => (user.status === 'deactivated' ? [] : roleChecks(table, roleOf(user)));

/** @throws conflict, insufficient_scope for a role above the caller's */
export async function updateUser({ table, caller, params, body, ifMatch }: Call<typeof userRoutes.updateUser>) {
  const user = await table.get(users, params.id, true);
  const changes = mergePatch(ChangeableUser, user, { patch: body, ifMatch });
  if (!changes) return showUser(table, user);
  assertMayGive(caller, await heldRole(table, { role: roleOf(user) }));
  const role = roleOf({ ...user, ...changes });
  if (role !== roleOf(user)) await assertMayAppoint(table, caller, await roleToGive(table, role, ROLE));
  await assertOwnerStays(table, roleOf(user), role);
  return showUser(table, await changeUser(table, user, changes));
}

type OfUser = { table: Table; caller: Caller; params: { id: string } };

/** Suspends or activates a user. A repeated call changes nothing. @throws conflict */
export const moveUser = ({ table, caller, params }: OfUser, verb: 'suspend' | 'activate'): Promise<User> =>
  retry(async () => showUser(table, await move(table, caller, { id: params.id, verb })));

async function move(table: Table, caller: Caller, { id, verb }: { id: string; verb: Verb }): Promise<User> {
  const user = await table.get(users, id, true);
  const held = await heldRole(table, { role: roleOf(user) });
  assertMayRevoke(caller, held);
  if (user.status === TARGET[verb]) return user;
  if (caller.id === id) throw conflict('You cannot suspend or deactivate yourself: another administrator can.');
  if (verb === 'activate') assertMayGive(caller, held);
  const person = verb === 'activate' ? await findPerson(table.dynamo, user.personId) : undefined;
  // a person who never accepted has proven no address
  const to =
    person?.verifiedAt === null
      ? 'invited'
      : nextState(userStates, { state: user.status, verb, name: 'user', offers: OFFERS });
  return changeUser(table, user, { status: to });
}

const TARGET = { suspend: 'suspended', activate: 'active', deactivate: 'deactivated' } as const;

/** Deactivates a user, then revokes the credentials that the user made. A repeated call continues a failed one. */
export async function deactivateUser({ table, caller, params, query }: Call<typeof userRoutes.deactivateUser>) {
  const calendarFeed = await hasFeed(table, params.id);
  const user = await retry(() => move(table, caller, { id: params.id, verb: 'deactivate' }));
  const { made, remaining } = await leaveCredentials(table, params.id, query.revoke === 'all');
  return { id: user.id, deletedAt: user.updatedAt, made: { ...made, calendarFeed }, remaining };
}
