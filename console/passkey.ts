import {
  type AuthenticationResponseJSON,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  type RegistrationResponseJSON,
  startAuthentication,
  startRegistration,
} from '@simplewebauthn/browser';
import { texts } from './texts.ts';

/** The options come from the service, in the form of WebAuthn; the browser checks them. */
const hasMember = <N extends string>(options: object, ...names: N[]): options is Record<N, unknown> =>
  names.every((name) => name in options);

const isRequest = (options: object): options is PublicKeyCredentialRequestOptionsJSON =>
  hasMember(options, 'challenge', 'rpId');

const isOffer = (options: object): options is PublicKeyCredentialCreationOptionsJSON =>
  hasMember(options, 'challenge', 'rp', 'user', 'pubKeyCredParams');

/** The browser's own reason names the address and no remedy. @throws for a service that is reached by an address */
function assertDomain(): void {
  if (/^[\d.]+$|^\[/.test(location.hostname)) throw new Error(texts.signIn.passkey.needsDomain);
}

/** Signs the challenge of the service with a passkey that the person chooses. @throws with the reason of the browser */
export async function usedPasskey(options: object): Promise<AuthenticationResponseJSON> {
  assertDomain();
  if (!isRequest(options)) throw new TypeError('these are no options for a passkey');
  return startAuthentication({ optionsJSON: options });
}

/** Makes a passkey on this device or another one of the person. @throws with the reason of the browser */
export async function newPasskey(options: object): Promise<RegistrationResponseJSON> {
  assertDomain();
  if (!isOffer(options)) throw new TypeError('these are no options for a new passkey');
  return startRegistration({ optionsJSON: options });
}
