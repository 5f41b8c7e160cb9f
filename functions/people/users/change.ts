import { assertMayGive, assertMayRevoke } from '#shared/credentials/give-role.ts';
import { heldRole, roleToGive } from '#shared/credentials/role.ts';
import { assertPartExists } from '#shared/exposure/applications/part.ts';
import { changeUser } from '#shared/people/move.ts';
import { assertMayAppoint } from '#shared/people/owners.ts';
import { type Irreversible, withSecondPerson } from '#shared/people/second-person.ts';
import { isActiveOwner, partOf, roleOf, type User, users } from '#shared/people/user.ts';
import { mergePatch } from '#shared/platform/http/records.ts';
import type { Call } from '#shared/platform/http/route.ts';
import { ChangeableUser, type userRoutes } from './routes.ts';
import { showUser } from './show.ts';

/** The field of a user that names the role. */
export const ROLE = 'roles.0.roleId';
/** The field of a user that names the part. */
export const SCOPE = 'roles.0.scope';

/** @throws conflict, insufficient_scope for a role above the caller's */
export async function updateUser(call: Call<typeof userRoutes.updateUser>) {
  const { table, caller, params, body, ifMatch } = call;
  const user = await table.get(users, params.id, true);
  const changes = mergePatch(ChangeableUser, user, { patch: body, ifMatch });
  if (!changes) return showUser(table, user);
  assertMayGive(caller, await heldRole(table, { role: roleOf(user) }));
  const role = roleOf({ ...user, ...changes });
  if (role !== roleOf(user)) await assertMayAppoint(table, caller, await roleToGive(table, role, ROLE));
  if (changes.roles) await assertPartExists(table, partOf({ ...user, ...changes }), SCOPE);
  const change = async () => showUser(table, await changeUser(table, user, changes));
  return endsOwner(user, changes) ? withSecondPerson(call, change) : change();
}

const endsOwner = (user: User, changes: Partial<User>): boolean =>
  isActiveOwner(user) && !isActiveOwner({ ...user, ...changes });

type Ending = Irreversible & { params: { id: string } };

/** Ends the access of a user: that of an owner may need a second person. @throws as `withSecondPerson` */
export async function endUser<T>(call: Ending, end: () => Promise<T>): Promise<T> {
  const { table, caller, params } = call;
  const user = await table.get(users, params.id, true);
  if (!isActiveOwner(user)) return end();
  assertMayRevoke(caller, await heldRole(table, { role: roleOf(user) }));
  return withSecondPerson(call, end);
}
