import type { IdentityProvider } from '#shared/people/identity-provider.ts';
import { encodeId } from '#shared/platform/auth/token-format.ts';
import type { Context } from '#shared/platform/table/context.ts';

/** The name of a provider for people who are not signed in: it leads to the organization too. */
export const publicIdOf = ({ table }: Context, { id }: Pick<IdentityProvider, 'id'>): string =>
  encodeId({ organizationId: table.organizationId, id });

const api = (context: Context, provider: Pick<IdentityProvider, 'id'>): string =>
  `${context.connections.settings.BASE_URL}/api/v1/sign-in/provider/${publicIdOf(context, provider)}`;

/** This service in SAML: its entity id is the address of its metadata. Each provider has its own, so that no answer counts for another. */
export const partyOf = (context: Context, provider: Pick<IdentityProvider, 'id'>) => ({
  entityId: `${api(context, provider)}/metadata`,
  acsUrl: `${api(context, provider)}/acs`,
});

/** The page to which the provider leads the browser. Each provider has its own, so that no answer counts for another (RFC 9700, 4.4). */
export const redirectUriOf = (context: Context, provider: Pick<IdentityProvider, 'id'>): string =>
  `${context.connections.settings.BASE_URL}/sign-in/callback/${publicIdOf(context, provider)}`;
