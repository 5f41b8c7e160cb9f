import { assertMayGive } from '#shared/credentials/give-role.ts';
import { heldRole, roleToGive } from '#shared/credentials/role.ts';
import { assertPartExists } from '#shared/exposure/applications/part.ts';
import { changeUser } from '#shared/people/move.ts';
import { assertMayAppoint } from '#shared/people/owners.ts';
import { partOf, roleOf, users } from '#shared/people/user.ts';
import { mergePatch } from '#shared/platform/http/records.ts';
import type { Call } from '#shared/platform/http/route.ts';
import { ChangeableUser, type userRoutes } from './routes.ts';
import { showUser } from './show.ts';

/** The field of a user that names the role. */
export const ROLE = 'roles.0.roleId';
/** The field of a user that names the part. */
export const SCOPE = 'roles.0.scope';

/** @throws conflict, insufficient_scope for a role above the caller's */
export async function updateUser({ table, caller, params, body, ifMatch }: Call<typeof userRoutes.updateUser>) {
  const user = await table.get(users, params.id, true);
  const changes = mergePatch(ChangeableUser, user, { patch: body, ifMatch });
  if (!changes) return showUser(table, user);
  assertMayGive(caller, await heldRole(table, { role: roleOf(user) }));
  const role = roleOf({ ...user, ...changes });
  if (role !== roleOf(user)) await assertMayAppoint(table, caller, await roleToGive(table, role, ROLE));
  await assertPartExists(table, partOf({ ...user, ...changes }), SCOPE);
  return showUser(table, await changeUser(table, user, changes));
}
