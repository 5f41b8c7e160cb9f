import { Secret, TOTP } from 'otpauth';
import { hashSecret, newSecret } from '#shared/platform/auth/token-format.ts';
import { open, seal } from '#shared/platform/crypto/seal.ts';
import { inSeconds, now, nowMs } from '#shared/platform/runtime/clock.ts';
import type { Connections } from '#shared/platform/runtime/connections.ts';
import { ApiError, notFound } from '#shared/platform/runtime/errors.ts';
import { retry } from '#shared/platform/runtime/retry.ts';
import { commit } from '#shared/platform/table/io/commit.ts';
import { GLOBAL_SCOPE } from '#shared/platform/table/layout/keys.ts';
import { findPerson, type Person, personWrites } from './person.ts';
import type { Proofs } from './ticket.ts';

const ISSUER = 'Exposure Management';
const STEP_SECONDS = 30;
const CODES = 10;
const CODE_LENGTH = 10;

type Sealing = Pick<Connections, 'secrets' | 'settings'>;
const contextOf = (id: string) => ({ organizationId: GLOBAL_SCOPE, purpose: 'totp', id });

const totpOf = (secret: Secret, label: string): TOTP => new TOTP({ issuer: ISSUER, label, secret });

/** Changes a person as read anew. `change` returns undefined to refuse. @throws invalid_grant */
export const changePerson = (
  { dynamo }: Pick<Connections, 'dynamo'>,
  id: string,
  change: (person: Person) => Partial<Person> | undefined,
): Promise<Person> =>
  retry(async () => {
    const person = await findPerson(dynamo, id);
    if (!person) throw notFound('person', id);
    const changes = change(person);
    if (!changes) throw wrongCode();
    await commit(dynamo, personWrites(person, changes), new Map());
    return { ...person, ...changes };
  });

const wrongCode = (): ApiError =>
  new ApiError('invalid_grant', 'The code is wrong, or was used already. Send the code that the app shows now.');

/** A new secret for an authenticator app (RFC 6238). It counts once a code of it confirms that the app has it. */
export async function offerTotp(connections: Connections, person: Person): Promise<{ secret: string; uri: string }> {
  const secret = new Secret({ size: 20 });
  const sealed = await seal(connections, contextOf(person.id), new Uint8Array(secret.buffer));
  const offered = { sealed: Buffer.from(sealed).toString('base64'), confirmedAt: null, lastStep: 0 };
  await changePerson(connections, person.id, ({ totp }) => (totp?.confirmedAt ? undefined : { totp: offered }));
  return { secret: secret.base32, uri: totpOf(secret, person.email).toString() };
}

/** The time step of a code that the app shows now or showed just before; undefined for a wrong code. */
async function stepOf(connections: Sealing, { id, email, totp }: Person, code: string): Promise<number | undefined> {
  if (!totp) return undefined;
  const bytes = await open(connections, contextOf(id), Buffer.from(totp.sealed, 'base64'));
  const secret = new Secret({ buffer: Uint8Array.from(bytes).buffer });
  const delta = totpOf(secret, email).validate({ token: code, timestamp: nowMs(), window: 1 });
  return delta === null ? undefined : Math.floor(nowMs() / 1000 / STEP_SECONDS) + delta;
}

/**
 * Confirms the app with its first code. `prove` comes after the code, so that a wrong code uses no proof up.
 * @returns the recovery codes, which are shown once, with the first second step @throws invalid_grant
 */
export async function confirmTotp(
  connections: Connections,
  person: Person,
  { code, prove }: { code: string; prove?: () => Promise<void> },
): Promise<string[]> {
  const step = await stepOf(connections, person, code);
  if (step === undefined) throw wrongCode();
  await prove?.();
  const { codes, hashes } = newCodes();
  let isFirst = true;
  await changePerson(connections, person.id, (current) => {
    const { totp } = current;
    if (!totp || totp.confirmedAt) return undefined;
    isFirst = !hasSecondStep(current);
    return { totp: { ...totp, confirmedAt: now(), lastStep: step }, ...(isFirst && { recoveryCodes: hashes }) };
  });
  return isFirst ? codes : [];
}

export function newCodes(): { codes: string[]; hashes: string[] } {
  const codes = Array.from({ length: CODES }, () => newSecret().slice(0, CODE_LENGTH));
  return { codes, hashes: codes.map(hashSecret) };
}

/** New recovery codes in place of the earlier ones. */
export async function renewCodes(connections: Connections, person: Person): Promise<string[]> {
  const { codes, hashes } = newCodes();
  await changePerson(connections, person.id, (current) =>
    hasSecondStep(current) ? { recoveryCodes: hashes } : undefined,
  );
  return codes;
}

export const removeTotp = (connections: Connections, person: Person): Promise<Person> =>
  changePerson(connections, person.id, (current) => {
    const without = { ...current, totp: undefined };
    return { totp: undefined, recoveryCodes: hasSecondStep(without) ? current.recoveryCodes : undefined };
  });

export const hasSecondStep = ({ totp, passkeys = [] }: Pick<Person, 'totp' | 'passkeys'>): boolean =>
  Boolean(totp?.confirmedAt) || passkeys.length > 0;

/** The second steps that a person has set up. */
export const mfaOf = ({ totp, passkeys = [] }: Person) => ({
  totp: Boolean(totp?.confirmedAt),
  passkeys: passkeys.length,
});

/**
 * Takes a code of the app or a recovery code; each code works once.
 * @returns the proof that the code is @throws invalid_grant
 */
export async function takeCode(connections: Connections, person: Person, code: string): Promise<Proofs[number]> {
  await countCode(connections, person);
  const recovery = hashSecret(code);
  if (person.recoveryCodes?.includes(recovery)) {
    await changePerson(connections, person.id, ({ recoveryCodes = [] }) =>
      recoveryCodes.includes(recovery)
        ? { recoveryCodes: recoveryCodes.filter((one) => one !== recovery), codesAt: [] }
        : undefined,
    );
    return 'rc';
  }
  const step = await stepOf(connections, person, code);
  await changePerson(connections, person.id, ({ totp }) =>
    totp?.confirmedAt && step !== undefined && step > totp.lastStep
      ? { totp: { ...totp, lastStep: step }, codesAt: [] }
      : undefined,
  );
  return 'otp';
}

const MAX_CODES_PER_HOUR = 10;

/** Counts a code before it is tried, so that nobody guesses: a right code begins the count anew. @throws limit_exceeded */
export const countCode = (connections: Connections, { id }: Person): Promise<Person> =>
  changePerson(connections, id, ({ codesAt = [] }) => {
    const recent = codesAt.filter((at) => at > inSeconds(-3600));
    if (recent.length < MAX_CODES_PER_HOUR) return { codesAt: [...recent, now()] };
    throw new ApiError('limit_exceeded', `${MAX_CODES_PER_HOUR} codes were wrong within an hour. Wait an hour.`);
  });
