import { decideDevice, findDevice } from '#shared/people/device.ts';
import type { Handlers } from '#shared/platform/http/route.ts';
import { ApiError } from '#shared/platform/runtime/errors.ts';
import type { deviceRoutes } from './device-routes.ts';
import { meOf } from './me.ts';

export const deviceHandlers: Handlers<typeof deviceRoutes> = {
  async findDeviceCode({ table, caller, body }) {
    const { person } = await meOf(table, caller);
    const { client, device, remoteAddress, createdAt, endsAt } = await findDevice(
      table.dynamo,
      person.id,
      body.userCode,
    );
    return { client, device, remoteAddress, createdAt, endsAt };
  },

  async approveDeviceCode({ table, caller, body: { userCode } }) {
    const { person } = await meOf(table, caller);
    if (caller.kind !== 'user' || !caller.session) throw new ApiError('unauthorized', 'Sign in to approve a program.');
    const approval = { personId: person.id, sessionId: caller.session, organizationId: table.organizationId };
    await decideDevice(table.dynamo, { personId: person.id, userCode, approval });
    return { approved: true };
  },

  async refuseDeviceCode({ table, caller, body: { userCode } }) {
    const { person } = await meOf(table, caller);
    await decideDevice(table.dynamo, { personId: person.id, userCode, approval: undefined });
    return { approved: false };
  },
};
