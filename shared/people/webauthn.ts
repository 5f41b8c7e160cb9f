import {
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
import type { Assertion, Attestation } from './passkey-records.ts';
import type { Passkey, Person } from './person.ts';

/* Passkeys (WebAuthn). The library is 440 KB: this module is beside the bundles that load it. */

/** The site that a passkey is for, as a browser names it. */
export type Site = { id: string; origin: string };
/** The site and the challenge that an answer must be for; `isChallenge` uses the challenge up. */
type Expected = { site: Site; isChallenge: (challenge: string) => Promise<boolean> };

const NAME = 'Exposure Management';

export const registrationOptions = (site: Site, { id, email, name, passkeys = [] }: Person, challenge: string) =>
  generateRegistrationOptions({
    rpName: NAME,
    rpID: site.id,
    userID: Uint8Array.from(Buffer.from(id)),
    userName: email,
    userDisplayName: name,
    challenge,
    attestationType: 'none',
    excludeCredentials: passkeys.map((one) => ({ id: one.id, transports: one.transports })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });

const expectedOf = ({ site, isChallenge }: Expected) => ({
  expectedOrigin: site.origin,
  expectedRPID: site.id,
  expectedChallenge: (encoded: string) => isChallenge(Buffer.from(encoded, 'base64url').toString()),
  requireUserVerification: true,
});

/** The key of a new passkey. @throws Error for an answer that does not fit */
export async function readAttestation(response: Attestation, expected: Expected) {
  const { verified, registrationInfo } = await verifyRegistrationResponse({ response, ...expectedOf(expected) });
  if (!verified) throw new Error('The attestation is not valid.');
  const { credential, credentialBackedUp: synced } = registrationInfo;
  const publicKey = Buffer.from(credential.publicKey).toString('base64url');
  return { id: credential.id, publicKey, counter: credential.counter, transports: credential.transports ?? [], synced };
}

/** The signature counter of the answer. @throws Error for an answer that does not fit, and for a counter that goes back */
export async function readAssertion(
  response: Assertion,
  { id, publicKey, counter }: Passkey,
  expected: Expected,
): Promise<number> {
  const credential = { id, counter, publicKey: Uint8Array.from(Buffer.from(publicKey, 'base64url')) };
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response,
    credential,
    ...expectedOf(expected),
  });
  if (!verified) throw new Error('The signature is not valid.');
  return authenticationInfo.newCounter;
}
