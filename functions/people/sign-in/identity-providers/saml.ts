import type { IdentityProvider } from '#shared/people/identity-provider.ts';
import { SamlSettings } from '#shared/people/saml-settings.ts';
import { issueTicket, readTicket, takeTicket } from '#shared/people/ticket.ts';
import { hashSecret, newSecret } from '#shared/platform/auth/token-format.ts';
import { now } from '#shared/platform/runtime/clock.ts';
import { ApiError, invalid } from '#shared/platform/runtime/errors.ts';
import { shortened } from '#shared/platform/runtime/texts.ts';
import type { Context } from '#shared/platform/table/context.ts';
import { defineRow } from '#shared/platform/table/io/row.ts';
import { type AtProvider, type Protocol, RefusedSignIn } from './protocol.ts';
import { partyOf, redirectUriOf } from './setup.ts';

const MAX_MESSAGE = 300;
const RESPONSE_SECONDS = 600;

/** The library is a file beside the bundle. */
const messages = () => import('./saml-messages.ts');

type Assertion = Exclude<
  Awaited<ReturnType<Awaited<ReturnType<typeof messages>>['readResponse']>>,
  { refused: string }
>;

export const assertionRows = defineRow<{ providerId: string; hash: string; expiresAt: string }>({
  name: 'saml-assertion',
  about: 'an assertion that was read: it signs nobody in again',
  key: ({ providerId, hash }) => [providerId, hash],
  expiresAt: ({ expiresAt }) => expiresAt,
});

/** SAML 2.0, by the web browser profile: a request by redirection, a response by POST (docs/decisions/0089-saml.md). */
export const saml: Protocol = {
  issuedFor: ({ saml: settings }) => settings?.entityId,

  async begin(context, { provider, state }) {
    const { requestOf } = await messages();
    const requestId = `_${newSecret()}`;
    const ours = partyOf(context, provider);
    const url = await requestOf({ ours, settings: settingsOf(provider), requestId }, state);
    return { url, kept: { requestId } };
  },

  async finish(context, { provider, state, kept: { requestId = '' } }) {
    const { dynamo } = context.connections;
    const posted = await takeTicket(dynamo, 'saml_response', ticketOf(state));
    if (!posted) throw new RefusedSignIn('invalid_answer', 'The provider has posted no response.');
    const { readResponse } = await messages();
    const [ours, settings] = [partyOf(context, provider), settingsOf(provider)];
    const read = await readResponse(posted.response, { ours, settings, requestId, now: now() });
    if ('refused' in read) {
      const reason = read.isRefusal ? 'refused_by_provider' : 'invalid_answer';
      throw new RefusedSignIn(reason, shortened(read.refused, MAX_MESSAGE));
    }
    await useUp(context, provider, read);
    return personOf(read);
  },
};

function settingsOf({ saml: settings }: IdentityProvider): SamlSettings {
  if (!settings) throw new RefusedSignIn('not_set_up', 'The provider has no settings `saml` yet.');
  return settings;
}

/** @throws RefusedSignIn for an assertion that comes again */
async function useUp({ table }: Context, { id }: IdentityProvider, assertion: Assertion): Promise<void> {
  const row = { providerId: id, hash: hashSecret(assertion.id), expiresAt: assertion.expiresAt };
  if (await table.rows(assertionRows).put(row, 'absent')) return;
  throw new RefusedSignIn('invalid_answer', 'The assertion was used before.');
}

/** The names of attributes, in lower case: those of Okta and Google are chosen there, the others belong to Entra and eduPerson. */
const EMAIL = [
  'email',
  'mail',
  'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress',
  'urn:oid:0.9.2342.19200300.100.1.3',
];
const NAME = [
  'displayname',
  'name',
  'http://schemas.microsoft.com/identity/claims/displayname',
  'urn:oid:2.16.840.1.113730.3.1.241',
];

/** The signed assertion is the word of the provider, whose domain the organization has proved: the address counts as verified. */
function personOf({ subject, isEmail, attributes }: Assertion): AtProvider {
  const email = firstOf(attributes, EMAIL) ?? (isEmail ? subject : null);
  return {
    subject,
    email: email?.toLowerCase() ?? null,
    emailVerified: true,
    name: firstOf(attributes, NAME),
    claims: { NameID: subject, ...attributes },
  };
}

function firstOf(attributes: Assertion['attributes'], names: readonly string[]): string | null {
  const found = names.flatMap((name) =>
    Object.entries(attributes).flatMap(([one, values]) => (one.toLowerCase() === name ? values : [])),
  );
  return found.find((value) => value !== '') ?? null;
}

/** The response waits under the state: without the state and its verifier nobody reaches it, and only the first counts. */
const ticketOf = (state: string): string => `${state}.response`;

type Posted = { SAMLResponse: string; RelayState: string };

/** Keeps a response until the browser that began finishes the sign-in. @returns the page to which the browser goes */
export async function keepResponse(context: Context, provider: IdentityProvider, posted: Posted): Promise<string> {
  const { dynamo } = context.connections;
  const state = await readTicket(dynamo, 'at_provider', posted.RelayState);
  if (provider.kind !== 'saml' || state?.providerId !== provider.id) throw unsolicited();
  const ticket = {
    purpose: 'saml_response' as const,
    seconds: RESPONSE_SECONDS,
    data: { response: posted.SAMLResponse },
  };
  await issueTicket(dynamo, ticket, ticketOf(posted.RelayState));
  return `${redirectUriOf(context, provider)}?${new URLSearchParams({ RelayState: posted.RelayState })}`;
}

export const unsolicited = (): ApiError =>
  new ApiError('invalid_grant', 'This sign-in did not begin here, or has ended. Open this service and sign in there.');

/** The metadata of this service for a provider. */
export const metadataFor = async (context: Context, provider: IdentityProvider): Promise<string> =>
  (await messages()).metadataOf(partyOf(context, provider));

/** The settings in the metadata of a provider. @throws validation_failed */
export async function settingsIn(metadata: string): Promise<SamlSettings> {
  const read = await (await messages()).readMetadata(metadata);
  if ('refused' in read) throw invalid('samlMetadata', shortened(read.refused, MAX_MESSAGE));
  const { data, error } = SamlSettings.safeParse(read);
  if (data) return data;
  const [issue] = error.issues;
  throw invalid('samlMetadata', `has no settings that sign people in: ${issue?.path.join('.')} ${issue?.message}`);
}
