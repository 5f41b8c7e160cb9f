import type { Dynamo } from '#shared/platform/runtime/dynamo.ts';
import { retry } from '#shared/platform/runtime/retry.ts';
import { commit } from '#shared/platform/table/io/commit.ts';
import { rowKey } from '#shared/platform/table/io/row.ts';
import { GLOBAL_SCOPE } from '#shared/platform/table/layout/keys.ts';
import { addressRows, findPerson, personRows, personWrites } from './person.ts';
import { endSessions, sessionsOf } from './session.ts';
import type { User } from './user.ts';

/** Forgets that a person is a user of an organization that is deleted; a person without another organization is forgotten whole. */
export async function forgetMember(dynamo: Dynamo, organizationId: string, user: Pick<User, 'personId'>) {
  const person = await findPerson(dynamo, user.personId);
  const isThere = (one: { organizationId: string }) => one.organizationId === organizationId;
  if (!person?.memberships.some(isThere)) return;
  const sessions = await sessionsOf(dynamo, person.id);
  await endSessions(
    dynamo,
    sessions.filter((session) => session.users.some(isThere)),
  );
  await retry(async () => {
    const current = await findPerson(dynamo, user.personId);
    if (!current) return;
    const memberships = current.memberships.filter((one) => !isThere(one));
    const writes =
      memberships.length > 0
        ? personWrites(current, { memberships })
        : [
            { remove: rowKey(GLOBAL_SCOPE, personRows, current) },
            { remove: rowKey(GLOBAL_SCOPE, addressRows, { email: current.email }) },
          ];
    await commit(dynamo, writes, new Map());
  });
}
