import type { ClientAuth, Configuration } from 'openid-client';
import * as z from 'zod';
import { openSealed } from '#shared/credentials/sealed.ts';
import type { IdentityProvider } from '#shared/people/identity-provider.ts';
import { guardedFetch } from '#shared/platform/outgoing/guarded-fetch.ts';
import { HostError } from '#shared/platform/outgoing/host-error.ts';
import { shortened } from '#shared/platform/runtime/texts.ts';
import type { Context } from '#shared/platform/table/context.ts';
import { type AtProvider, type Claims, type Protocol, RefusedSignIn } from './protocol.ts';

type Library = typeof import('openid-client');

/** Clocks of providers differ from ours by less than this. */
const CLOCK_SECONDS = 60;
const MAX_MESSAGE = 300;

const ClientSecret = z.object({ clientSecret: z.string() });

/** OpenID Connect, by the authorization code flow with PKCE, state and nonce. */
export const oidc: Protocol = {
  issuedFor: ({ oidc: settings }) => (settings ? `${settings.issuer} ${settings.clientId}` : undefined),

  begin: (context, { provider, redirectUri, state }) =>
    reported(async (client) => {
      const config = await discovered(client, context, provider);
      const [nonce, verifier] = [client.randomNonce(), client.randomPKCECodeVerifier()];
      const url = client.buildAuthorizationUrl(config, {
        redirect_uri: redirectUri,
        scope: [...new Set(['openid', ...(provider.oidc?.scopes ?? [])])].join(' '),
        state,
        nonce,
        code_challenge: await client.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      });
      return { url: url.href, kept: { nonce, verifier } };
    }),

  finish: (context, { provider, redirectUri, state, kept, callback }) =>
    reported(async (client) => {
      const config = await discovered(client, context, provider);
      const current = new URL(redirectUri);
      current.search = callback.search;
      const tokens = await client.authorizationCodeGrant(config, current, {
        expectedState: state,
        expectedNonce: kept.nonce ?? '',
        pkceCodeVerifier: kept.verifier ?? '',
        idTokenExpected: true,
      });
      const claims = tokens.claims();
      if (!claims) throw new RefusedSignIn('invalid_answer', 'The answer has no ID token.');
      const more = config.serverMetadata().userinfo_endpoint
        ? await client.fetchUserInfo(config, tokens.access_token, claims.sub)
        : {};
      return personOf({ ...more, ...claims });
    }),
};

/** The keys of the provider are read at each sign-in, so that new keys count at once. */
async function discovered(client: Library, context: Context, provider: IdentityProvider): Promise<Configuration> {
  const { oidc: settings } = provider;
  if (!settings) throw new RefusedSignIn('not_set_up', 'The provider has no settings `oidc` yet.');
  const { fetch, allowsPrivate } = guardedFetch(context.connections);
  const sealed = await openSealed(context, { purpose: 'identity-provider', id: provider.id, schema: ClientSecret });
  const execute = [client.enableNonRepudiationChecks, ...(allowsPrivate ? [client.allowInsecureRequests] : [])];
  const metadata = { [client.clockTolerance]: CLOCK_SECONDS };
  const options = { execute, [client.customFetch]: fetch };
  const issuer = new URL(settings.issuer);
  const method = authentication(client, sealed?.clientSecret);
  const config = await client.discovery(issuer, settings.clientId, metadata, method, options);
  assertIssuer(issuer, config.serverMetadata().issuer);
  return config;
}

/** The library lets Entra ID call itself otherwise: `common` signs in people of all its customers. @throws RefusedSignIn */
function assertIssuer(expected: URL, issuer: string): void {
  if (URL.parse(issuer)?.href === expected.href) return;
  throw new RefusedSignIn(
    'invalid_answer',
    `The provider calls itself ${shortened(issuer, MAX_MESSAGE)}: enter its exact name as issuer, at Entra ID with the tenant id.`,
  );
}

/** The secret in the header, or in the body for a provider that names only that (OpenID Connect Core, section 9). */
function authentication(client: Library, secret: string | undefined): ClientAuth {
  if (secret === undefined) return client.None();
  const [basic, post] = [client.ClientSecretBasic(secret), client.ClientSecretPost(secret)];
  return (server, ...rest) => {
    const { token_endpoint_auth_methods_supported: methods = ['client_secret_basic'] } = server;
    return (methods.includes('client_secret_basic') ? basic : post)(server, ...rest);
  };
}

const Text = z.string().min(1).max(300);

/**
 * Some providers write the truth value as a text. Entra ID sends no `email_verified`: `xms_edov` says that the tenant has
 * proved the domain, as 1 in some tokens.
 */
const TRUE = new Set<unknown>([true, 'true', 1, '1']);

/**
 * Google's word for an address counts for the customers of Google who own its domain (`hd`). Anybody may make an account with an address of
 * another company, and keeps it verified after leaving: https://developers.google.com/identity/gsi/web/guides/verify-google-id-token
 */
const vouchesFor = ({ iss, hd }: Claims): boolean =>
  iss !== 'https://accounts.google.com' || Text.safeParse(hd).success;

function personOf(claims: Claims & { sub: string }): AtProvider {
  const { email, name } = claims;
  return {
    subject: claims.sub,
    email: Text.safeParse(email).data?.toLowerCase() ?? null,
    emailVerified: TRUE.has(claims.email_verified ?? claims.xms_edov) && vouchesFor(claims),
    name: Text.safeParse(name).data ?? null,
    claims,
  };
}

/** Failures of the library and of the network become reasons. */
async function reported<T>(step: (client: Library) => Promise<T>): Promise<T> {
  const client = await import('openid-client');
  try {
    return await step(client);
  } catch (error) {
    throw refusalOf(client, error);
  }
}

function refusalOf(client: Library, error: unknown): unknown {
  if (error instanceof RefusedSignIn) return error;
  const host = hostErrorIn(error);
  if (host) return new RefusedSignIn('unreachable', host.message, error);
  if (error instanceof client.AuthorizationResponseError || error instanceof client.ResponseBodyError) {
    const said = shortened([error.error, error.error_description].filter(Boolean).join(': '), MAX_MESSAGE);
    return new RefusedSignIn('refused_by_provider', `The provider refuses: ${said}`, error);
  }
  if (error instanceof client.ClientError || error instanceof client.WWWAuthenticateChallengeError) {
    const said = [error.message, detailOf(error)].filter(Boolean).join(': ');
    return new RefusedSignIn(
      'invalid_answer',
      `The answer of the provider is refused: ${shortened(said, MAX_MESSAGE)}`,
      error,
    );
  }
  return error;
}

const detailOf = ({ cause }: Error): string | undefined => (cause instanceof Error ? cause.message : undefined);

/** The library wraps errors of the network. */
function hostErrorIn(error: unknown): HostError | undefined {
  if (error instanceof HostError) return error;
  return error instanceof Error && error.cause !== undefined ? hostErrorIn(error.cause) : undefined;
}
