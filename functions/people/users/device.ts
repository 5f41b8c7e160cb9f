import { FIRST_STEP, sendConfirmation, takeConfirmation } from '#shared/people/confirmation.ts';
import { decideDevice, findDevice } from '#shared/people/device.ts';
import type { Handlers } from '#shared/platform/http/route.ts';
import { ApiError } from '#shared/platform/runtime/errors.ts';
import type { deviceRoutes } from './device-routes.ts';
import { meOf } from './me.ts';

export const deviceHandlers: Handlers<typeof deviceRoutes> = {
  async requestConfirmation({ connections, table, caller, body: { userCode } }) {
    const { person } = await meOf(table, caller);
    const device = userCode === undefined ? undefined : await findDevice(table.dynamo, person.id, userCode);
    const reason = device
      ? `this code signs the program "${device.client}" in as you. It was started at the address ${device.remoteAddress}.`
      : 'this code sets up the first second step of your account.';
    await sendConfirmation(connections, person, { subject: device?.hash ?? FIRST_STEP, reason });
    return { accepted: true };
  },

  async findDeviceCode({ table, caller, body }) {
    const { person } = await meOf(table, caller);
    const { client, device, remoteAddress, createdAt, endsAt } = await findDevice(
      table.dynamo,
      person.id,
      body.userCode,
    );
    return { client, device, remoteAddress, createdAt, endsAt };
  },

  async approveDeviceCode({ connections, table, caller, body: { userCode, ...proof } }) {
    const { person } = await meOf(table, caller);
    if (caller.kind !== 'user' || !caller.session) throw new ApiError('unauthorized', 'Sign in to approve a program.');
    const device = await findDevice(table.dynamo, person.id, userCode);
    await takeConfirmation(connections, person, { proof, subject: device.hash });
    const approval = { personId: person.id, sessionId: caller.session, organizationId: table.organizationId };
    await decideDevice(table.dynamo, device, approval);
    return { approved: true };
  },

  async refuseDeviceCode({ table, caller, body: { userCode } }) {
    const { person } = await meOf(table, caller);
    await decideDevice(table.dynamo, await findDevice(table.dynamo, person.id, userCode));
    return { approved: false };
  },
};
