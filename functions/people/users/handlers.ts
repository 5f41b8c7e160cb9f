import { roleChecks, roleToGive } from '#shared/credentials/role.ts';
import { assertPartExists } from '#shared/exposure/applications/part.ts';
import { endAccount } from '#shared/organizations/end-account.ts';
import { countInvitation, inviteAgain, inviteUser, nameOf } from '#shared/people/invite.ts';
import { deactivateUser, moveUser } from '#shared/people/move.ts';
import { assertMayAppoint } from '#shared/people/owners.ts';
import { partOf, roleOf, users } from '#shared/people/user.ts';
import { showPage } from '#shared/platform/http/pagination.ts';
import type { Call, Handlers } from '#shared/platform/http/route.ts';
import { conflict } from '#shared/platform/runtime/errors.ts';
import { endUser, ROLE, SCOPE, updateUser } from './change.ts';
import { deviceHandlers } from './device.ts';
import { unlinkIdentityOf } from './identities.ts';
import { meHandlers } from './me.ts';
import type { userRoutes } from './routes.ts';
import { secondStepHandlers } from './second-step.ts';
import { showUser, showUsers } from './show.ts';

export const userHandlers: Handlers<typeof userRoutes> = {
  listUsers: ({ table, query: { status, roleId, ...range } }) =>
    showPage(
      table.list(users, {
        ...range,
        ...(status !== undefined && { filter: { status } }),
        ...(roleId !== undefined && { where: { role: roleId } }),
      }),
      (found) => showUsers(table, found),
    ),
  searchUsers: ({ table, query }) => showPage(table.list(users, query), (found) => showUsers(table, found)),
  getUser: async ({ table, params }) => showUser(table, await table.get(users, params.id)),

  async inviteUser({ connections, table, caller, body }) {
    await assertMayAppoint(table, caller, await roleToGive(table, roleOf(body), ROLE));
    await assertPartExists(table, partOf(body), SCOPE);
    await countInvitation(table, body.email);
    const by = { organizationName: await nameOf(table), invitedBy: caller.name };
    const user = await inviteUser({ connections, table }, { ...body, ...by }, (batch, made) =>
      batch.write(...roleChecks(table, roleOf(made))),
    );
    return showUser(table, user);
  },
  inviteUserAgain: inviteAgainNow,
  updateUser,
  suspendUser: (call) =>
    endUser(call, async () => showUser(call.table, await moveUser(call, call.params.id, 'suspend'))),
  activateUser: async (call) => showUser(call.table, await moveUser(call, call.params.id, 'activate')),
  unlinkIdentity: (call) => unlinkIdentityOf(call, call.params),
  deactivateUser(call) {
    const { id: from } = call.params;
    const { revoke, handOverTo: to } = call.query;
    return endUser(call, () => endAccount(call, { from, to }, () => deactivateUser(call, from, revoke === 'all')));
  },
  ...meHandlers,
  ...secondStepHandlers,
  ...deviceHandlers,
};

async function inviteAgainNow({ connections, table, caller, params }: Call<typeof userRoutes.inviteUserAgain>) {
  const user = await table.get(users, params.id, true);
  if (user.status !== 'invited')
    throw conflict(`This user is ${user.status}: only an invited user gets an invitation.`);
  const by = { organizationName: await nameOf(table), invitedBy: caller.name };
  await inviteAgain({ connections, table }, user, by);
  return showUser(table, user);
}
