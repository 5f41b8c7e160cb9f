import { inSeconds, now, nowMs } from '../runtime/clock.ts';
import type { Dynamo } from '../runtime/dynamo.ts';
import { ApiError, notFound, Overtaken } from '../runtime/errors.ts';
import { isId, shortId } from '../runtime/ids.ts';
import { log } from '../runtime/log.ts';
import { MinuteCache } from '../runtime/minute-cache.ts';
import { orOvertaken, retry } from '../runtime/retry.ts';
import type { Part } from '../table/entity.ts';
import type { Write } from '../table/io/commit.ts';
import { getRows } from '../table/io/read.ts';
import { alive, condition, defineRow, type Expectation, putWrite, rowKey } from '../table/io/row.ts';
import { openTable } from '../table/table.ts';
import type { Bound, MachineKind, Scope } from './permissions.ts';
import { assertServed, organizationKey } from './suspension.ts';
import { type CredentialId, hashSecret, matchesHash, newSecret } from './token-format.ts';

type CredentialKind = 'api_key' | 'service_account' | 'user' | 'machine' | 'link_token' | 'support_grant';

/**
 * The only row that authentication reads: one per API key, service account, user, machine and link token. The row is in the
 * credential's organization under the id of its record. Revoking removes the row. The row of a `support_grant` has no secret:
 * while it is there, the provider's staff may act in the organization.
 */
export type Credential = {
  id: string;
  kind: CredentialKind;
  name: string;
  /** The newest is last. A secret with `until` was replaced and works until then. A user has none: people have sessions. */
  secrets: { hash: string; until?: string }[];
  /** The id of a built-in or custom role. */
  role?: string;
  /** The role holds for this part of the organization only. */
  part?: Part;
  /** For an account of staff: the accounts that made it or gave it a secret, and the makers of these. */
  makers?: string[];
  scopes?: readonly Scope[];
  bound?: Bound;
  machine?: MachineKind;
  expiresAt?: string;
  /** For an API key or service account. */
  lastUsedAt?: string;
  /** The link token with which a machine was linked. */
  linkTokenId?: string;
  /** Counts the times that all access tokens were ended; those with a smaller number are refused. */
  generation?: number;
  /** The sessions of a user that have ended, each until its last access token has expired. */
  ended?: { id: string; until: string }[];
  /** The machine is disabled. */
  disabled?: true;
  /** Until then the machine may link again once without its secret. */
  releasedUntil?: string;
  /** The organization is being restored: nobody may read or write it. */
  held?: true;
  /** For a link token of an organization that is being restored: the number of its uses. */
  uses?: number;
};

export const credentials = defineRow<Credential, Pick<Credential, 'id'>>({
  name: 'credential',
  about: 'what an API key, service account, user, machine, link token or support grant may do, with its hashed secrets',
  key: ({ id }) => [id],
});

/** A replaced secret works this long by default: a lost answer with the new secret locks nobody out. */
export const OVERLAP_SECONDS = 3600;
const MAX_SECRETS = 5;

/** A new secret, which is shown once, and its stored form. */
export function issueSecret(): { secret: string; secrets: Credential['secrets'] } {
  const secret = newSecret();
  return { secret, secrets: [{ hash: hashSecret(secret) }] };
}

const scopeOf = (organizationId: string): string => shortId(organizationId);

/** Writes the credential in the transaction of its record. @throws Overtaken when it is not as expected any more */
export const putCredential = (organizationId: string, row: Credential, expect?: Expectation): Write =>
  putWrite(scopeOf(organizationId), credentials, { row, expect, fail: () => new Overtaken() });

/** Revokes the credential; within a minute no function accepts it. */
export const removeCredential = ({ organizationId, id }: CredentialId): Write => ({
  remove: rowKey(scopeOf(organizationId), credentials, { id }),
});

/** Refuses the transaction once the credential is revoked. @throws unauthorized */
export const credentialStands = ({ organizationId, id }: CredentialId): Write => ({
  check: rowKey(scopeOf(organizationId), credentials, { id }),
  condition: condition({}),
  fail: () => new ApiError('unauthorized', 'The credential of this request was revoked.'),
});

/** An access token that was issued before shows the old name until it expires; that of a user follows within a minute. */
export const changeCredential = (
  { organizationId, id }: CredentialId,
  set: { [F in 'name' | 'role' | 'part']?: Credential[F] | undefined },
): Write => ({
  change: rowKey(scopeOf(organizationId), credentials, { id }),
  set,
  condition: condition({}),
  fail: () => notFound('credential', id),
});

/** The number of the access tokens issued from now on; all earlier tokens end within a minute. */
export const generationAfter = ({ generation = 0 }: Credential): number => generation + 1;

/** Disables a machine, which ends its access tokens, or enables it again, in the transaction of its record. */
export const enableCredential = ({ organizationId, id }: CredentialId, enabled: boolean): Write => ({
  change: rowKey(scopeOf(organizationId), credentials, { id }),
  set: { disabled: enabled ? undefined : true },
  ...(!enabled && { add: { generation: 1 } }),
  condition: condition({}),
  fail: () => notFound('credential', id),
});

/**
 * Reads consistently: a credential works from the moment of the answer that showed it.
 * @throws limit_exceeded while the organization is suspended or being restored: machines wait then, where a refusal would end them
 */
export async function readCredential(
  dynamo: Dynamo,
  { organizationId, id }: CredentialId,
): Promise<Credential | undefined> {
  const key = rowKey(scopeOf(organizationId), credentials, { id });
  const rows = await getRows(dynamo, [key, organizationKey(organizationId)], true);
  assertServed(organizationId, rows);
  const credential = alive<Credential>(rows.find(({ pk }) => pk === key.pk));
  if (credential?.held)
    throw new ApiError('limit_exceeded', 'The organization is being restored. Send the request again in some minutes.');
  return credential;
}

/** No secret ends early to make room: its owner may still use it. */
const tooManySecrets = (): ApiError =>
  new ApiError(
    'limit_exceeded',
    `${MAX_SECRETS} secrets are valid now. Wait until a secret expires, or end all secrets with overlapSeconds 0.`,
  );

/**
 * Adds a new secret; the earlier secrets expire after the overlap. Without an overlap the access tokens end too.
 * @param makers the accounts whose holder knows the new secret, if it is not the credential's own
 * @param issuedUnder the generation of the access token with which a machine asks for itself: an ended token works for
 *   another minute, in which it must not become a secret
 * @returns undefined when the credential is gone
 * @throws limit_exceeded, insufficient_scope for a disabled machine, unauthorized for an ended access token
 */
export async function rotateSecret(
  dynamo: Dynamo,
  where: CredentialId,
  { overlapSeconds, issuedUnder, makers = [] }: { overlapSeconds: number; issuedUnder?: number; makers?: string[] },
): Promise<string | undefined> {
  const rows = openTable(dynamo, where.organizationId).rows(credentials);
  return retry(async () => {
    const current = await rows.find({ id: where.id }, true);
    if (!current) return undefined;
    if (current.disabled)
      throw new ApiError('insufficient_scope', 'The machine is disabled: it must be enabled first.');
    if (issuedUnder !== undefined && issuedUnder < (current.generation ?? 0))
      throw new ApiError(
        'unauthorized',
        'This access token has ended. Get a new access token: POST /api/v1/oauth/token.',
      );
    const { secret, secrets } = issueSecret();
    const end = inSeconds(overlapSeconds);
    const replaced = current.secrets.map(({ hash, until }) => ({ hash, until: until && until < end ? until : end }));
    const kept = [...replaced.filter(({ until }) => until > now()), ...secrets];
    if (kept.length > MAX_SECRETS) throw tooManySecrets();
    const { generation } = current;
    const holders = [...new Set([...(current.makers ?? []), ...makers])];
    const next = overlapSeconds === 0 ? generationAfter(current) : generation;
    const expect = { secrets: current.secrets, generation };
    await orOvertaken(
      rows.set(
        { id: where.id },
        { secrets: kept, generation: next, ...(holders.length > 0 && { makers: holders }) },
        expect,
      ),
    );
    forgetCredential(dynamo, where);
    return secret;
  });
}

const RELEASE_SECONDS = 3600;

/**
 * Lets a machine link again once without its secret. Linking again writes a new credential, without the release.
 * @throws not_found
 */
export async function releaseMachine(dynamo: Dynamo, { organizationId, id }: CredentialId): Promise<string> {
  const releasedUntil = inSeconds(RELEASE_SECONDS);
  const rows = openTable(dynamo, organizationId).rows(credentials);
  if (!isId(id) || !(await rows.set({ id }, { releasedUntil }, { kind: 'machine' }))) throw notFound('machine', id);
  return releasedUntil;
}

/** Whether the secret opens the credential now. Compares all stored secrets, each in constant time. */
export function opens(credential: Credential, secret: string): boolean {
  const time = now();
  const matches = credential.secrets.filter(({ hash, until }) => matchesHash(secret, hash) && (!until || until > time));
  return matches.length > 0 && !isExpired(credential);
}

export const isExpired = ({ expiresAt }: Credential): boolean => expiresAt !== undefined && expiresAt <= now();

const known = new MinuteCache<Credential | undefined>();

const cacheKey = ({ organizationId, id }: CredentialId): string => `${organizationId}/${id}`;

/** The credential, at most a minute old. @throws limit_exceeded as `readCredential` does */
export const findCredential = (dynamo: Dynamo, where: CredentialId): Promise<Credential | undefined> =>
  known.get(dynamo, cacheKey(where), () => readCredential(dynamo, where));

const USE_MS = 3_600_000;

/** Records the use of an API key or service account, at most once an hour: a warm request neither reads nor writes. */
export async function noteUse(dynamo: Dynamo, where: CredentialId, credential: Credential): Promise<void> {
  const { kind, lastUsedAt } = credential;
  const isNoted = lastUsedAt !== undefined && Date.parse(lastUsedAt) > nowMs() - USE_MS;
  if (isNoted || (kind !== 'api_key' && kind !== 'service_account')) return;
  credential.lastUsedAt = now(); // of the cached row, before the write: requests beside this one need not write
  const rows = openTable(dynamo, where.organizationId).rows(credentials);
  const use = { lastUsedAt: credential.lastUsedAt };
  await rows
    .set({ id: where.id }, use, { kind })
    .catch((error) => log.warn('use not noted', { reason: String(error) }));
}

/** Makes the next request of this process read the credential again, for the process that revoked it. */
export const forgetCredential = (dynamo: Dynamo, where: CredentialId): void => known.forget(dynamo, cacheKey(where));
