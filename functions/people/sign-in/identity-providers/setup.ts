import type { IdentityProvider } from '#shared/people/identity-provider.ts';
import { encodeId } from '#shared/platform/auth/token-format.ts';
import type { Context } from '#shared/platform/table/context.ts';

/** The name of a provider for people who are not signed in: it leads to the organization too. */
export const publicIdOf = ({ table }: Context, { id }: Pick<IdentityProvider, 'id'>): string =>
  encodeId({ organizationId: table.organizationId, id });

/** The page to which the provider leads the browser. Each provider has its own, so that no answer counts for another (RFC 9700, 4.4). */
export const redirectUriOf = (context: Context, provider: Pick<IdentityProvider, 'id'>): string =>
  `${context.connections.settings.BASE_URL}/sign-in/callback/${publicIdOf(context, provider)}`;
