import { createHash } from 'node:crypto';
import { type IdentityProvider, identityProviders } from '#shared/people/identity-provider.ts';
import { domainOf } from '#shared/people/owner-domain.ts';
import { providerOf } from '#shared/people/proved-domain.ts';
import { grantCode } from '#shared/people/sign-in.ts';
import { issueTicket, type TicketData, takeTicket, type Voucher } from '#shared/people/ticket.ts';
import { decodeId, newSecret } from '#shared/platform/auth/token-format.ts';
import { isSame } from '#shared/platform/crypto/same.ts';
import type { Handlers } from '#shared/platform/http/route.ts';
import type { Connections } from '#shared/platform/runtime/connections.ts';
import { ApiError, notFound } from '#shared/platform/runtime/errors.ts';
import { type Cause, systemActor } from '#shared/platform/table/actor.ts';
import type { Context } from '#shared/platform/table/context.ts';
import { openTable } from '#shared/platform/table/table.ts';
import { countBeginning } from '../limits.ts';
import { admit } from './admit.ts';
import { noteFailure, noteSuccess } from './attempts.ts';
import { pageLeadingTo } from './leading-page.ts';
import { type AtProvider, RefusedSignIn } from './protocol.ts';
import { protocols } from './protocols.ts';
import { keepResponse, metadataFor, unsolicited } from './saml.ts';
import { publicIdOf, redirectUriOf } from './setup.ts';
import { providerSignInRoutes } from './sign-in-routes.ts';
import { keepTest } from './test-result.ts';

const AT_PROVIDER_SECONDS = 600;

export const providerSignInHandlers: Handlers<typeof providerSignInRoutes> = {
  async findSignInProvider({ connections, cause, body: { email } }) {
    const proved = await providerOf(connections.dynamo, domainOf(email));
    const found = proved && (await providerAt({ connections, cause }, proved));
    if (found?.provider.status !== 'active') return { provider: null };
    const { name, enforcement } = found.provider;
    return { provider: { id: publicIdOf(found.context, found.provider), name, required: enforcement !== 'off' } };
  },

  async beginProviderSignIn({ connections, cause, body: { provider: id, codeChallenge }, request: { ip } }) {
    await countBeginning(connections.dynamo, 'provider', ip);
    const found = await providerNamed({ connections, cause }, id);
    if (found?.provider.status !== 'active') throw notFound('identity provider', id);
    return { url: await beginAt(found, { codeChallenge, isTest: false }) };
  },

  async finishProviderSignIn({ connections, cause, body: { callback: address, codeVerifier } }) {
    const callback = new URL(address);
    const state = await takeState(connections, callback, codeVerifier);
    const found = state && (await providerAt({ connections, cause }, state.data));
    if (!found || callback.pathname !== new URL(redirectUriOf(found.context, found.provider)).pathname) throw ended();
    return noted(found, () => finishAt(found, { ...state, callback, cause }));
  },

  async getSamlMetadata({ connections, cause, params: { id } }) {
    const found = await providerNamed({ connections, cause }, id);
    if (found?.provider.kind !== 'saml') throw notFound('identity provider', id);
    const body = await metadataFor(found.context, found.provider);
    return { ...providerSignInRoutes.getSamlMetadata.response, body };
  },

  async receiveSamlResponse({ connections, cause, params: { id }, body }) {
    const found = await providerNamed({ connections, cause }, id);
    if (!found) throw unsolicited();
    const { contentType } = providerSignInRoutes.receiveSamlResponse.response;
    return pageLeadingTo(await keepResponse(found.context, found.provider, body), contentType);
  },
};

type World = { connections: Connections; cause: Cause };
type Found = { context: Context; provider: IdentityProvider };

/** A provider with a table that names it as the author of changes. */
async function providerAt(
  { connections, cause }: World,
  { organizationId, providerId }: Voucher,
): Promise<Found | undefined> {
  const provider = await openTable(connections.dynamo, organizationId).find(identityProviders, providerId, true);
  if (!provider) return undefined;
  const author = { ...systemActor, id: provider.id, name: provider.name, cause };
  return { provider, context: { connections, table: openTable(connections.dynamo, organizationId, author) } };
}

/** The provider of a public id. */
async function providerNamed(world: World, id: string): Promise<Found | undefined> {
  const where = decodeId(id);
  return where && providerAt(world, { organizationId: where.organizationId, providerId: where.id });
}

type Beginning = { codeChallenge: string; isTest: boolean };

/**
 * Begins a sign-in. The state is a ticket of the browser that began: only the holder of the verifier can end it.
 * @returns the address of the provider
 */
export const beginAt = (found: Found, { codeChallenge, isTest }: Beginning): Promise<string> =>
  noted(found, async () => {
    const { context, provider } = found;
    const state = newSecret();
    const beginning = { provider, redirectUri: redirectUriOf(context, provider), state };
    const { url, kept } = await protocols[provider.kind].begin(context, beginning);
    const { organizationId, dynamo } = context.table;
    const data = { organizationId, providerId: provider.id, isTest, codeChallenge, kept };
    await issueTicket(dynamo, { purpose: 'at_provider', seconds: AT_PROVIDER_SECONDS, data }, state);
    return url;
  });

/** Lists a refused sign-in with its reason, and answers the reason. @throws invalid_grant */
async function noted<T>({ context: { table }, provider }: Found, step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    if (!(error instanceof RefusedSignIn)) throw error;
    const { reason, message, email } = error;
    await noteFailure(table, provider.id, { reason, message, email });
    throw new ApiError('invalid_grant', message);
  }
}

const challengeOf = (verifier: string): string => createHash('sha256').update(verifier).digest('base64url');

const ended = (): ApiError =>
  new ApiError('invalid_grant', 'This sign-in has ended, or began in another browser. Sign in again.');

/** Uses the state up. `RelayState` is its name in SAML. @throws invalid_grant */
async function takeState({ dynamo }: Connections, { searchParams }: URL, codeVerifier: string) {
  const state = searchParams.get('state') ?? searchParams.get('RelayState') ?? '';
  const data = await takeTicket(dynamo, 'at_provider', state);
  if (!data || !isSame(challengeOf(codeVerifier), data.codeChallenge)) throw ended();
  return { state, data };
}

type Finishing = { state: string; data: TicketData<'at_provider'>; callback: URL; cause: Cause };

async function finishAt({ context, provider }: Found, { state, data, callback, cause }: Finishing) {
  const protocol = protocols[provider.kind];
  const redirectUri = redirectUriOf(context, provider);
  const person = await protocol.finish(context, { provider, redirectUri, state, kept: data.kept, callback });
  if (data.isTest) {
    await keepTest(context.table, provider, person);
    return { status: 'tested' as const, code: null };
  }
  if (provider.status !== 'active') throw new RefusedSignIn('not_set_up', 'The provider is not active.');
  const issuedFor = protocol.issuedFor(provider) ?? '';
  const user = await admitted(context, { provider, issuedFor, person, cause });
  await noteSuccess(context.table, provider.id);
  const vouchedBy = { organizationId: context.table.organizationId, providerId: provider.id };
  const proven = { personId: user.personId, proofs: ['sso' as const], codeChallenge: data.codeChallenge, vouchedBy };
  const { code } = await grantCode(context.table.dynamo, proven);
  return { status: 'signed_in' as const, code };
}

type Admitting = Parameters<typeof admit>[1] & { person: AtProvider };

/** Names the address in the list of failures. */
const admitted = (context: Context, admitting: Admitting) =>
  admit(context, admitting).catch((error: unknown) => {
    if (error instanceof RefusedSignIn) error.email = admitting.person.email;
    throw error;
  });
