import { randomInt } from 'node:crypto';
import { hashSecret } from '#shared/platform/auth/token-format.ts';
import { inSeconds, now } from '#shared/platform/runtime/clock.ts';
import type { Dynamo } from '#shared/platform/runtime/dynamo.ts';
import { ApiError } from '#shared/platform/runtime/errors.ts';
import { shortened } from '#shared/platform/runtime/texts.ts';
import { defineRow } from '#shared/platform/table/io/row.ts';
import { GLOBAL_SCOPE } from '#shared/platform/table/layout/keys.ts';
import { openTable } from '#shared/platform/table/table.ts';
import { changePerson } from './second-step.ts';
import { issueTicket, readTicket, takeTicket } from './ticket.ts';

/** The person who approved a program, and the session in which they did. */
type Approval = { personId: string; sessionId: string; organizationId: string };

/** A program that waits for a person to approve its sign-in (RFC 8628). */
type DeviceRequest = {
  hash: string;
  client: string;
  device: string;
  remoteAddress: string;
  createdAt: string;
  endsAt: string;
  status: 'waiting' | 'approved' | 'refused';
  approval?: Approval;
  /** The seconds between polls; a program that polls faster has to wait longer. */
  interval: number;
  polledAt?: string;
};

export const deviceRequests = defineRow<DeviceRequest, Pick<DeviceRequest, 'hash'>>({
  name: 'device-request',
  about: 'the hash of a code that a person types, and the program that waits for its approval; global key scope',
  key: ({ hash }) => [hash],
  // longer than the code: a late program learns that the code has expired
  expiresAt: ({ createdAt }) => new Date(Date.parse(createdAt) + KEPT_SECONDS * 1000).toISOString(),
});

const MAX_DEVICE = 200;
export const DEVICE_SECONDS = 600;
const KEPT_SECONDS = 3600;
export const POLL_SECONDS = 5;

/** RFC 8628, section 6.1: consonants, which make no words. Eight are 34 bits. */
const LETTERS = 'BCDFGHJKLMNPQRSTVWXZ';
const LENGTH = 8;

const rowsOf = (dynamo: Dynamo) => openTable(dynamo, GLOBAL_SCOPE).rows(deviceRequests);

/** People type codes with and without the hyphen, and in small letters. */
const hashOf = (userCode: string): string => hashSecret(userCode.toUpperCase().replaceAll(/[^A-Z]/g, ''));

type Program = Pick<DeviceRequest, 'client' | 'device' | 'remoteAddress'>;

/** Begins the sign-in of a program. @returns the code that it polls with, and the code that a person types */
export async function beginDevice(dynamo: Dynamo, program: Program): Promise<{ deviceCode: string; userCode: string }> {
  const letters = Array.from({ length: LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join('');
  const hash = hashOf(letters);
  const times = { createdAt: now(), endsAt: inSeconds(DEVICE_SECONDS) };
  const isNew = await rowsOf(dynamo).put(
    {
      ...program,
      device: shortened(program.device, MAX_DEVICE),
      hash,
      ...times,
      status: 'waiting',
      interval: POLL_SECONDS,
    },
    'absent',
  );
  if (!isNew) return beginDevice(dynamo, program);
  const data = { hash, client: program.client };
  const deviceCode = await issueTicket(dynamo, { purpose: 'device_code', seconds: KEPT_SECONDS, data });
  return { deviceCode, userCode: `${letters.slice(0, LENGTH / 2)}-${letters.slice(LENGTH / 2)}` };
}

const MAX_CODES_PER_HOUR = 20;

/** The program behind a code that a person typed. Counts the code, so that nobody guesses. @throws not_found, limit_exceeded */
export async function findDevice(dynamo: Dynamo, personId: string, userCode: string): Promise<DeviceRequest> {
  await changePerson({ dynamo }, personId, ({ deviceCodesAt = [] }) => {
    const recent = deviceCodesAt.filter((at) => at > inSeconds(-3600));
    if (recent.length < MAX_CODES_PER_HOUR) return { deviceCodesAt: [...recent, now()] };
    throw new ApiError('limit_exceeded', `You entered ${MAX_CODES_PER_HOUR} codes within an hour. Wait an hour.`);
  });
  const found = await rowsOf(dynamo).find({ hash: hashOf(userCode) }, true);
  if (found?.status === 'waiting' && found.endsAt > now()) return found;
  throw unknownCode();
}

const unknownCode = (): ApiError =>
  new ApiError('not_found', 'The code is wrong, has expired, or was used. Start again in the program.');

/** Decides for a program that was found, once; without approval the program is refused. @throws not_found */
export async function decideDevice(
  dynamo: Dynamo,
  { hash }: Pick<DeviceRequest, 'hash'>,
  approval?: Approval,
): Promise<void> {
  const decision: Partial<DeviceRequest> = approval ? { status: 'approved', approval } : { status: 'refused' };
  if (!(await rowsOf(dynamo).set({ hash }, decision, { status: 'waiting' }))) throw unknownCode();
}

/**
 * Answers a poll of a program: the approval, once.
 * @throws authorization_pending, slow_down, expired_token, access_denied, invalid_grant (RFC 8628, section 3.5)
 */
export async function pollDevice(dynamo: Dynamo, deviceCode: string, client: string): Promise<Approval> {
  const ticket = await readTicket(dynamo, 'device_code', deviceCode);
  const found = ticket && (await rowsOf(dynamo).find(ticket, true));
  if (!found || ticket.client !== client)
    throw new ApiError('invalid_grant', 'The device code is unknown, was used, or is of another client_id.');
  const { hash, status, approval, endsAt } = found;
  if (status === 'refused') throw new ApiError('access_denied', 'The person refused the sign-in.');
  if (endsAt <= now()) throw new ApiError('expired_token', 'The code has expired. Begin again.');
  await pace(dynamo, found);
  if (!approval) throw new ApiError('authorization_pending', 'The person has not decided yet. Ask again.');
  if (!(await takeTicket(dynamo, 'device_code', deviceCode)))
    throw new ApiError('invalid_grant', 'The device code was used.');
  await rowsOf(dynamo).remove({ hash });
  return approval;
}

/** Notes the poll. One that comes too early adds five seconds to the interval. @throws slow_down */
async function pace(dynamo: Dynamo, { hash, polledAt, interval }: DeviceRequest): Promise<void> {
  const isEarly = polledAt !== undefined && polledAt > inSeconds(-interval);
  const next = isEarly ? interval + POLL_SECONDS : interval;
  const isNoted = await rowsOf(dynamo).set({ hash }, { polledAt: now(), interval: next }, { polledAt });
  if (isEarly || !isNoted) throw new ApiError('slow_down', `Wait ${next} seconds between two requests.`);
}
