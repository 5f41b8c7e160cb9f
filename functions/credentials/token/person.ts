import { createHash } from 'node:crypto';
import { pollDevice } from '#shared/people/device.ts';
import { entryTo } from '#shared/people/entry.ts';
import { findPerson, type Membership, type Person } from '#shared/people/person.ts';
import {
  endSessions,
  findSession,
  renewSession,
  type Session,
  sessionsOf,
  startSession,
} from '#shared/people/session.ts';
import { type Proofs, takeTicket, type Voucher } from '#shared/people/ticket.ts';
import type { Claims } from '#shared/platform/auth/access-token.ts';
import { credentials, readCredential } from '#shared/platform/auth/credential.ts';
import { tellEvent } from '#shared/platform/auth/events.ts';
import { isSame } from '#shared/platform/crypto/same.ts';
import { now } from '#shared/platform/runtime/clock.ts';
import type { Dynamo } from '#shared/platform/runtime/dynamo.ts';
import { ApiError } from '#shared/platform/runtime/errors.ts';
import type { Cause } from '#shared/platform/table/actor.ts';
import { openTable } from '#shared/platform/table/table.ts';
import type { OAuthTokenRequest } from './routes.ts';

type World = { dynamo: Dynamo; cause: Cause };
type Device = { device: string; remoteAddress: string };
type Granted = { claims: Claims; refreshToken: string };

/**
 * Exchanges the code of a sign-in for a session (RFC 6749, section 4.1.3, with PKCE, RFC 7636). A code works once, also
 * if its exchange fails.
 * @throws invalid_request, invalid_grant
 */
export async function exchangeCode({ dynamo, cause }: World, body: OAuthTokenRequest, at: Device): Promise<Granted> {
  const { code, code_verifier: verifier, organization_id: wanted } = body;
  if (code === undefined || verifier === undefined)
    throw new ApiError('invalid_request', 'Send code and code_verifier.');
  const ticket = await takeTicket(dynamo, 'code', code);
  if (!ticket || !isSame(challengeOf(verifier), ticket.codeChallenge)) throw refusedCode();
  return openSession({ dynamo, cause }, { ...ticket, wanted, last: ticket.vouchedBy }, at);
}

/**
 * Exchanges the code of a program that a person approved for a session of its own (RFC 8628), as strong as the one in which they did.
 * @throws invalid_request, authorization_pending, slow_down, access_denied, expired_token, invalid_grant
 */
export async function exchangeDevice(world: World, body: OAuthTokenRequest, at: Device): Promise<Granted> {
  const { device_code: code, client_id: client, organization_id: wanted } = body;
  if (code === undefined || client === undefined)
    throw new ApiError('invalid_request', 'Send device_code and client_id.');
  const { personId, sessionId, organizationId } = await pollDevice(world.dynamo, code, client);
  const approving = (await sessionsOf(world.dynamo, personId)).find(({ id }) => id === sessionId);
  if (!approving) throw new ApiError('access_denied', 'The session in which the person approved has ended.');
  const device = `${client} (${at.device})`;
  return openSession(world, { ...approving, wanted, last: { organizationId } }, { ...at, device });
}

async function openSession({ dynamo, cause }: World, choice: Choice, at: Device): Promise<Granted> {
  const entered = await userOf(dynamo, choice);
  const { user } = entered;
  const { personId, proofs, vouchedBy } = choice;
  const { session, refreshToken } = await startSession(dynamo, { personId, proofs, vouchedBy, user, ...at });
  const claims = await claimsOf(dynamo, user, session);
  const rows = openTable(dynamo, user.organizationId).rows(credentials);
  await rows.set({ id: user.userId }, { lastUsedAt: now() }, { kind: 'user' });
  await reportEntry({ dynamo, cause }, entered, claims);
  return { claims, refreshToken };
}

type Entered = { user: Membership; breaksGlass: boolean };

/** The audit log shows an owner who does not use the identity provider that the organization enforces. */
function reportEntry({ dynamo, cause }: World, { user, breaksGlass }: Entered, { name }: Claims): Promise<void> {
  const author = { kind: 'user' as const, id: user.userId, name, cause };
  const reason = 'An owner signed in without the identity provider that is enforced.';
  const event = { kind: 'signed_in' as const, ...(breaksGlass && { reason }) };
  return tellEvent(dynamo, { organizationId: user.organizationId, author }, event);
}

const challengeOf = (verifier: string): string => createHash('sha256').update(verifier).digest('base64url');

const refusedCode = (): ApiError =>
  new ApiError(
    'invalid_grant',
    'The code was used already, has expired, or belongs to another verifier. Sign in again.',
  );

/**
 * Gives a session new tokens; `organization_id` switches to another organization of the person. A refresh token that is
 * not the newest is a copy in other hands: it ends the session (RFC 9700, section 4.14).
 * @throws invalid_grant
 */
export async function refresh(
  { dynamo, cause }: World,
  refreshToken: string,
  wanted: string | undefined,
): Promise<Granted> {
  const found = await findSession(dynamo, refreshToken);
  if (!found) throw endedSession();
  const { session, isNewest } = found;
  if (!isNewest) {
    await endSessions(dynamo, [session]);
    throw endedSession();
  }
  const last = session.users.at(-1);
  const entered = await userOf(dynamo, { ...session, wanted, last });
  const { user, breaksGlass } = entered;
  const renewed = await renewSession(dynamo, session, user);
  if (!renewed) throw endedSession();
  const claims = await claimsOf(dynamo, user, renewed.session);
  if (breaksGlass && user.organizationId !== last?.organizationId)
    await reportEntry({ dynamo, cause }, entered, claims);
  return { claims, refreshToken: renewed.refreshToken };
}

const endedSession = (): ApiError => new ApiError('invalid_grant', 'The session has ended. Sign in again.');

type Choice = {
  personId: string;
  proofs: Proofs;
  vouchedBy?: Voucher | undefined;
  wanted: string | undefined;
  last: Pick<Membership, 'organizationId'> | undefined;
};

/** The user for whom a token is: of the wanted organization, of the last one, or of the first that the person can use. */
async function userOf(dynamo: Dynamo, { personId, wanted, last, ...proven }: Choice): Promise<Entered> {
  const person = await findPerson(dynamo, personId);
  const memberships = person?.memberships ?? [];
  const isWanted = ({ organizationId }: Membership) => organizationId === (wanted ?? last?.organizationId);
  const ordered = [...memberships.filter(isWanted), ...(wanted === undefined ? memberships : [])];
  let refused: string | undefined;
  for (const user of ordered) {
    const entry = person && (await entryAs(dynamo, { person, user, proven }));
    if (entry && entry.refused === undefined) return { user, breaksGlass: entry.breaksGlass };
    refused ??= entry?.refused;
  }
  if (refused !== undefined) throw new ApiError('invalid_grant', refused);
  throw new ApiError(
    'invalid_grant',
    wanted === undefined
      ? 'You are not an active user of any organization. Accept an invitation, or ask an administrator.'
      : 'You are not an active user of this organization.',
  );
}

type As = { person: Person; user: Membership; proven: Pick<Choice, 'proofs' | 'vouchedBy'> };

/** @returns undefined for somebody who is no active user */
async function entryAs(dynamo: Dynamo, { person, user: { organizationId, userId: id }, proven }: As) {
  const credential = await readCredential(dynamo, { organizationId, id });
  if (credential?.kind !== 'user') return undefined;
  return entryTo(dynamo, { person, organizationId, role: credential.role, proven });
}

async function claimsOf(dynamo: Dynamo, { organizationId, userId: id }: Membership, session: Session): Promise<Claims> {
  const credential = await readCredential(dynamo, { organizationId, id });
  if (credential?.kind !== 'user' || !credential.role) throw endedSession();
  const { name, role, generation } = credential;
  return { kind: 'user', sub: id, org: organizationId, name, role, generation, session: session.id };
}
