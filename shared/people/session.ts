import { type Credential, credentials, forgetCredential } from '#shared/platform/auth/credential.ts';
import { formatKey, hashSecret, matchesHash, newSecret, parseKey } from '#shared/platform/auth/token-format.ts';
import { inSeconds, now } from '#shared/platform/runtime/clock.ts';
import type { Dynamo } from '#shared/platform/runtime/dynamo.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import { orOvertaken, retry } from '#shared/platform/runtime/retry.ts';
import { shortened } from '#shared/platform/runtime/texts.ts';
import { defineRow } from '#shared/platform/table/io/row.ts';
import { GLOBAL_SCOPE } from '#shared/platform/table/layout/keys.ts';
import { openTable } from '#shared/platform/table/table.ts';
import type { Membership } from './person.ts';
import type { Proofs, Voucher } from './ticket.ts';

/** A session ends 30 days after its last use. */
export const SESSION_SECONDS = 30 * 86_400;
/** An access token of a person: an ended session is refused at once where it is known, and everywhere after this time. */
export const PERSON_TOKEN_SECONDS = 900;

/** A browser or program in which a person is signed in. Its refresh token changes with each use. */
export type Session = {
  personId: string;
  id: string;
  hash: string;
  device: string;
  remoteAddress: string;
  proofs: Proofs;
  vouchedBy?: Voucher | undefined;
  createdAt: string;
  lastUsedAt: string;
  /** The users for whom the session got access tokens, the present one last. */
  users: Membership[];
};

export const sessionRows = defineRow<Session, Pick<Session, 'personId' | 'id'>>({
  name: 'session',
  about: 'where a person is signed in, with the hash of the refresh token; global key scope',
  key: ({ personId, id }) => [personId, id],
  expiresAt: ({ lastUsedAt }) => new Date(Date.parse(lastUsedAt) + SESSION_SECONDS * 1000).toISOString(),
});

const rowsOf = (dynamo: Dynamo) => openTable(dynamo, GLOBAL_SCOPE).rows(sessionRows);

const MAX_DEVICE = 200;

type SignIn = Pick<Session, 'personId' | 'proofs' | 'vouchedBy' | 'device' | 'remoteAddress'> & { user: Membership };
type Opened = { session: Session; refreshToken: string };

export async function startSession(dynamo: Dynamo, { user, device, ...signIn }: SignIn): Promise<Opened> {
  const [id, secret, time] = [newId(), newSecret(), now()];
  const times = { createdAt: time, lastUsedAt: time };
  const about = { ...signIn, device: shortened(device, MAX_DEVICE) };
  const session: Session = { ...about, id, hash: hashSecret(secret), ...times, users: [user] };
  await rowsOf(dynamo).put(session, 'absent');
  return { session, refreshToken: tokenOf(session, secret) };
}

const tokenOf = ({ personId, id }: Session, secret: string): string =>
  formatKey('exr', { organizationId: personId, id }, secret);

/** The session of a refresh token, and whether the token is the newest of the session. */
export async function findSession(
  dynamo: Dynamo,
  refreshToken: string,
): Promise<{ session: Session; isNewest: boolean } | undefined> {
  const key = parseKey('exr', refreshToken);
  const session = key && (await rowsOf(dynamo).find({ personId: key.organizationId, id: key.id }, true));
  return session && { session, isNewest: matchesHash(key.secret, session.hash) };
}

/** Gives a session its next refresh token. @returns undefined when the token before was used at the same time */
export async function renewSession(dynamo: Dynamo, before: Session, user: Membership): Promise<Opened | undefined> {
  const secret = newSecret();
  const others = before.users.filter(({ userId }) => userId !== user.userId);
  const changes = { hash: hashSecret(secret), lastUsedAt: now(), users: [...others, user] };
  const session = { ...before, ...changes };
  const { personId, id, hash } = before;
  // a put renews the time at which the row expires
  const isRenewed = await rowsOf(dynamo).put(session, { hash });
  return isRenewed && personId && id ? { session, refreshToken: tokenOf(session, secret) } : undefined;
}

/** The sessions of a person, the newest first. */
export const sessionsOf = (dynamo: Dynamo, personId: string): Promise<Session[]> =>
  rowsOf(dynamo).query(personId, { backward: true, consistent: true });

/** Ends sessions with the access tokens that they got. */
export async function endSessions(dynamo: Dynamo, ended: readonly Session[]): Promise<void> {
  for (const session of ended) {
    await rowsOf(dynamo).remove(session);
    for (const user of session.users) await refuseSession(dynamo, user, session.id);
  }
}

/** Notes an ended session where authentication reads, until its last access token has expired. */
async function refuseSession(dynamo: Dynamo, { organizationId, userId: id }: Membership, sessionId: string) {
  const rows = openTable(dynamo, organizationId).rows(credentials);
  await retry(async () => {
    const current = await rows.find({ id }, true);
    if (!current) return;
    const ended = [...currentlyEnded(current), { id: sessionId, until: inSeconds(PERSON_TOKEN_SECONDS) }];
    await orOvertaken(rows.set({ id }, { ended }, { ended: current.ended, generation: current.generation }));
  });
  forgetCredential(dynamo, { organizationId, id });
}

const currentlyEnded = ({ ended = [] }: Credential) => ended.filter(({ until }) => until > now());
