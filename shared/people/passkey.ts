import { now } from '#shared/platform/runtime/clock.ts';
import type { Connections } from '#shared/platform/runtime/connections.ts';
import { ApiError, invalid, notFound } from '#shared/platform/runtime/errors.ts';
import { isId } from '#shared/platform/runtime/ids.ts';
import { shortened } from '#shared/platform/runtime/texts.ts';
import { CHALLENGE_SECONDS, newChallenge, useChallenge } from './passkey-challenge.ts';
import type { Assertion, Attestation, SecondProof } from './passkey-records.ts';
import { findPerson, type Passkey, type Person } from './person.ts';
import { changePerson, hasSecondStep, newCodes, takeCode } from './second-step.ts';
import { issueTicket, type Proofs, takeTicket } from './ticket.ts';
import type { Site } from './webauthn.ts';

const MAX_PASSKEYS = 10;
const MAX_DEVICE = 200;

const webauthn = () => import('./webauthn.ts');

/** The site of a deployment. A browser takes a name only, and has one for the developer's own machine (WebAuthn, 5.1.2). */
function siteOf({ settings }: Pick<Connections, 'settings'>): Site {
  const url = new URL(settings.BASE_URL);
  if (url.hostname === '127.0.0.1') url.hostname = 'localhost';
  return { id: url.hostname, origin: url.origin };
}

const refused = (reason: string): ApiError =>
  new ApiError('invalid_grant', `The passkey was not accepted: ${reason} Try again with a new challenge.`);

/** The answer is read from outside: each mistake in it is one of the sender. @throws invalid_grant */
const orRefused = <T>(reading: Promise<T>): Promise<T> =>
  reading.catch((error: Error): never => {
    throw refused(error.message);
  });

/** The options for `navigator.credentials.create()`. */
export async function offerPasskey(connections: Connections, person: Person) {
  const data = { personId: person.id };
  const challenge = await issueTicket(connections.dynamo, { purpose: 'passkey', seconds: CHALLENGE_SECONDS, data });
  return (await webauthn()).registrationOptions(siteOf(connections), person, challenge);
}

type NewPasskey = { passkey: Attestation; name: string; device: string };

/**
 * Adds a passkey. The first second step of a person comes with recovery codes, which are shown once.
 * @throws invalid_grant, limit_exceeded
 */
export async function addPasskey(
  connections: Connections,
  { id: personId }: Person,
  { passkey, ...about }: NewPasskey,
) {
  const { dynamo } = connections;
  const isChallenge = async (token: string) => (await takeTicket(dynamo, 'passkey', token))?.personId === personId;
  const { readAttestation } = await webauthn();
  const key = await orRefused(readAttestation(passkey, { site: siteOf(connections), isChallenge }));
  const device = shortened(about.device, MAX_DEVICE);
  const added: Passkey = { ...key, name: about.name, device, createdAt: now(), lastUsedAt: null };
  const { codes, hashes } = newCodes();
  let recoveryCodes: string[] = [];
  const person = await changePerson(connections, personId, (current) => {
    const { passkeys = [] } = current;
    if (passkeys.some(({ id }) => id === key.id)) throw refused('it is yours already.');
    if (passkeys.length >= MAX_PASSKEYS)
      throw new ApiError('limit_exceeded', `You have ${MAX_PASSKEYS} passkeys, which is the most. Remove one first.`);
    const isFirst = !hasSecondStep(current);
    recoveryCodes = isFirst ? codes : [];
    return { passkeys: [...passkeys, added], ...(isFirst && { recoveryCodes: hashes }) };
  });
  return { person, added, recoveryCodes };
}

/** The options for `navigator.credentials.get()`: the person chooses the passkey, which names the person. */
export async function requestPasskey(connections: Connections) {
  const challenge = Buffer.from(await newChallenge(connections)).toString('base64url');
  const timeout = CHALLENGE_SECONDS * 1000;
  return { challenge, rpId: siteOf(connections).id, timeout, userVerification: 'required' as const };
}

/**
 * The person who signed a challenge with a passkey, after the device verified them.
 * @throws invalid_grant
 */
export async function takePasskey(connections: Connections, answer: Assertion): Promise<Person> {
  const personId = Buffer.from(answer.response.userHandle, 'base64url').toString();
  const person = isId(personId) ? await findPerson(connections.dynamo, personId) : undefined;
  const passkey = person?.passkeys?.find(({ id }) => id === answer.id);
  if (!passkey) throw refused('nobody here has it.');
  const isChallenge = (challenge: string) => useChallenge(connections, challenge);
  const { readAssertion } = await webauthn();
  const counter = await orRefused(readAssertion(answer, passkey, { site: siteOf(connections), isChallenge }));
  const used = { counter, lastUsedAt: now() };
  return changePerson(connections, personId, ({ passkeys }) => {
    const current = passkeys?.find(({ id }) => id === answer.id);
    const isLater = current && (counter > current.counter || counter === 0);
    if (!isLater) throw refused('it was removed or used meanwhile.');
    return { passkeys: passkeys?.map((one) => (one === current ? { ...one, ...used } : one)) };
  });
}

/** Takes a second proof of a person, who is known already. @throws validation_failed, invalid_grant */
export async function takeProof(connections: Connections, person: Person, proof: SecondProof): Promise<Proofs[number]> {
  const { code, passkey } = proof;
  if ((code === undefined) === (passkey === undefined))
    throw invalid('code', 'must be there, or passkey, and not both');
  if (code !== undefined) return takeCode(connections, person, code);
  if (passkey && (await takePasskey(connections, passkey)).id === person.id) return 'hwk';
  throw refused('it is of another person.');
}

/** Changes or removes (`undefined`) a passkey. @throws not_found */
export const changePasskey = (
  connections: Connections,
  { id: personId }: Person,
  id: string,
  changes: Partial<Pick<Passkey, 'name'>> | undefined,
): Promise<Person> =>
  changePerson(connections, personId, (current) => {
    const { passkeys = [] } = current;
    if (!passkeys.some((one) => one.id === id)) throw notFound('passkey', id);
    const next = changes
      ? passkeys.map((one) => (one.id === id ? { ...one, ...changes } : one))
      : passkeys.filter((one) => one.id !== id);
    return { passkeys: next, ...(!hasSecondStep({ ...current, passkeys: next }) && { recoveryCodes: undefined }) };
  });
