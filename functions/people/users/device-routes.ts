import * as z from 'zod';
import { OwnProof } from '#shared/people/passkey-records.ts';
import { objectNamed, Timestamp } from '#shared/platform/http/records.ts';
import { defineRoutes, post } from '#shared/platform/http/route.ts';

const deviceCodes = '/api/v1/users/me/device-codes';
const person = { person: true } as const;

const userCode = z.string().max(20).meta({ description: 'with or without the hyphen', example: 'BCDF-GHJK' });
const DeviceCode = objectNamed('DeviceCode', { userCode });
const DeviceProgram = objectNamed('DeviceProgram', {
  client: z.string().meta({ description: 'as the program names itself' }),
  device: z.string(),
  remoteAddress: z.string().meta({ description: 'the address that started the program' }),
  createdAt: Timestamp,
  endsAt: Timestamp,
});
const DeviceDecision = objectNamed('DeviceDecision', { approved: z.boolean() });

/** The caller signs a program in that has no browser (RFC 8628). */
export const deviceRoutes = defineRoutes({
  requestConfirmation: post('/api/v1/users/me/confirmation', {
    summary: 'Ask for a code by letter, which confirms that it is you',
    description:
      'For people without a second step. With `userCode` the code signs this program in, otherwise it sets up the first second step. It works ' +
      'once, for ten minutes. At most five letters are sent in an hour, sign-in links included. Refused as `conflict` for who has a second step.',
    access: person,
    inPart: 'same',
    body: objectNamed('ConfirmationRequest', { userCode: userCode.optional() }),
    response: objectNamed('ConfirmationRequested', { accepted: z.literal(true) }),
  }),
  findDeviceCode: post(deviceCodes, {
    summary: 'Look at the program that waits behind a code',
    description:
      'A program showed the code (`POST /api/v1/sign-in/device`). Approve only a program that you have just started yourself. A code ' +
      'that is wrong, used or older than ten minutes is `not_found`; you can enter 20 codes in an hour.',
    access: person,
    inPart: 'same',
    body: DeviceCode,
    response: DeviceProgram,
  }),
  approveDeviceCode: post(`${deviceCodes}/approve`, {
    summary: 'Sign a program in',
    description:
      'The program gets a session of its own, which you can end. It gets none if your session ends before. Prove that it is you, so that an ' +
      'open browser is not enough: with a code of the app, a recovery code or a passkey, or, without a second step, with the code of a letter ' +
      '(`POST /api/v1/users/me/confirmation`).',
    access: person,
    inPart: 'same',
    body: objectNamed('DeviceApproval', { userCode, ...OwnProof }),
    lenient: true,
    response: DeviceDecision,
  }),
  refuseDeviceCode: post(`${deviceCodes}/refuse`, {
    summary: 'Refuse a program',
    description: 'The program learns it with its next request (`access_denied`).',
    access: person,
    inPart: 'same',
    body: DeviceCode,
    response: DeviceDecision,
  }),
});
