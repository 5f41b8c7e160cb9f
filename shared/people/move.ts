import { assertMayGive, assertMayRevoke } from '#shared/credentials/give-role.ts';
import { hasFeed, leaveCredentials } from '#shared/credentials/made.ts';
import { heldRole, roleChecks } from '#shared/credentials/role.ts';
import { forgetCredential } from '#shared/platform/auth/credential.ts';
import type { Caller } from '#shared/platform/auth/permissions.ts';
import { conflict } from '#shared/platform/runtime/errors.ts';
import { retry } from '#shared/platform/runtime/retry.ts';
import { nextState } from '#shared/platform/runtime/state-machine.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { accessWrites } from './access.ts';
import { ownerWrites } from './owners.ts';
import { roleOf, type User, userStates, users } from './user.ts';

const OFFERS = ['suspend', 'activate', 'deactivate'] as const;
type Verb = (typeof OFFERS)[number];
type By = { table: Table; caller: Caller };

/** Changes a user together with the credential that follows the user. */
export async function changeUser(table: Table, user: User, changes: Partial<User>): Promise<User> {
  const next = await table.update(users, user, changes, async (batch, after) => {
    const writes = [...accessWrites(table.organizationId, user, after), ...checksOf(table, after)];
    batch.write(...writes, ...(await ownerWrites(table, user, after)));
  });
  forgetCredential(table.dynamo, { organizationId: table.organizationId, id: user.id });
  return next;
}

/** A user who has left holds no role. */
const checksOf = (table: Table, user: User) => (user.status === 'deactivated' ? [] : roleChecks(table, roleOf(user)));

/** Suspends, activates or deactivates a user. A repeated call changes nothing. @throws conflict */
export const moveUser = ({ table, caller }: By, id: string, verb: Verb): Promise<User> =>
  retry(async () => {
    const user = await table.get(users, id, true);
    const held = await heldRole(table, { role: roleOf(user) });
    assertMayRevoke(caller, held);
    if (user.status === TARGET[verb]) return user;
    if (caller.id === id) throw conflict('You cannot suspend or deactivate yourself: another administrator can.');
    if (verb === 'activate') assertMayGive(caller, held);
    // nobody becomes a user without having accepted
    const isPending = verb === 'activate' && user.joinedAt === null;
    if (isPending && user.status === 'invited') return user;
    const to = nextState(userStates, { state: user.status, verb, name: 'user', offers: OFFERS });
    return changeUser(table, user, { status: isPending ? 'invited' : to });
  });

const TARGET = { suspend: 'suspended', activate: 'active', deactivate: 'deactivated' } as const;

/** Deactivates a user, then revokes the credentials that the user made. A repeated call continues a failed one. */
export async function deactivateUser(by: By, id: string, revokes: boolean) {
  const calendarFeed = await hasFeed(by.table, id);
  const user = await moveUser(by, id, 'deactivate');
  const { made, remaining } = await leaveCredentials(by.table, id, revokes);
  return { id: user.id, deletedAt: user.updatedAt, made: { ...made, calendarFeed }, remaining };
}
