import { generateServiceProviderMetadata, SAML } from '@node-saml/node-saml';
import type { SamlSettings } from '#shared/people/saml-settings.ts';
import type { Assertion, Expected, Ours } from './saml/assertion.ts';
import { settingsIn } from './saml/metadata.ts';
import { judge } from './saml/response.ts';
import { Unreadable } from './saml/xml.ts';

/*
 * All that needs the library of SAML: a file beside the bundle, which only sign-ins by SAML load. The file has copies of
 * the modules that it imports, so that it answers refusals as values.
 */

type Refused = { refused: string; isRefusal: boolean };

/** The address at which a provider signs somebody in; the answer names the id of the request. */
export const requestOf = ({ ours, settings, requestId }: Omit<Expected, 'now'>, state: string): Promise<string> =>
  new SAML({
    issuer: ours.entityId,
    callbackUrl: ours.acsUrl,
    entryPoint: settings.signInUrl,
    idpCert: settings.certificates,
    identifierFormat: null,
    disableRequestedAuthnContext: true,
    generateUniqueId: () => requestId,
  }).getAuthorizeUrlAsync(state, undefined, {});

/** The metadata of this service for a provider. */
export const metadataOf = ({ entityId, acsUrl }: Ours): string =>
  generateServiceProviderMetadata({
    issuer: entityId,
    callbackUrl: acsUrl,
    identifierFormat: null,
    wantAssertionsSigned: true,
  });

/** The settings in a provider's metadata. */
export const readMetadata = (text: string): Promise<SamlSettings | Refused> => answered(() => settingsIn(text));

/** The assertion in a response, after all that must hold. */
export const readResponse = (encoded: string, expected: Expected): Promise<Assertion | Refused> =>
  answered(() => judge(encoded, expected));

async function answered<T>(step: () => Promise<T>): Promise<T | Refused> {
  try {
    return await step();
  } catch (error) {
    if (error instanceof Unreadable) return { refused: error.message, isRefusal: error.isRefusal };
    return { refused: worded(error instanceof Error ? error.message : ''), isRefusal: false };
  }
}

/** The library says of each failed signature the same. */
const worded = (message: string): string =>
  message === 'Invalid signature'
    ? 'The signature of the assertion fits no current certificate of the provider.'
    : `The message cannot be read: ${message}`;
