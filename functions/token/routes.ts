import * as z from 'zod';
import { defineRoutes } from '#shared/http/route.ts';

/** Everything is optional here, so that what is missing gets OAuth's own error codes (RFC 6749, section 5.2). */
export const OAuthTokenRequest = z
  .object({
    grant_type: z.string().optional().meta({ example: 'client_credentials' }),
    client_id: z.string().optional().meta({ description: 'here or by HTTP Basic, as `client_secret`' }),
    client_secret: z.string().optional(),
    scope: z.string().optional().meta({ description: 'narrows the scopes of an API key; separated by spaces' }),
  })
  .meta({ id: 'OAuthTokenRequest' });
export type OAuthTokenRequest = z.infer<typeof OAuthTokenRequest>;

const AccessToken = z
  .object({
    access_token: z.string(),
    token_type: z.literal('Bearer'),
    expires_in: z.int().positive().meta({ description: 'seconds' }),
    scope: z.string().meta({ description: 'of an API key its scopes, else `role:...` or `machine:...`' }),
  })
  .meta({ id: 'AccessToken' });

const JsonWebKeySet = z
  .object({
    keys: z.array(
      z.object({
        kty: z.literal('OKP'),
        crv: z.literal('Ed25519'),
        use: z.literal('sig'),
        alg: z.literal('EdDSA'),
        kid: z.string(),
        x: z.string(),
      }),
    ),
  })
  .meta({ id: 'JsonWebKeySet' });

export const tokenRoutes = defineRoutes({
  issueToken: {
    method: 'POST',
    path: '/api/v1/oauth/token',
    operation: 'Token',
    summary: 'Change client credentials into an access token of one hour',
    description:
      'RFC 6749, section 4.4, as JSON or as a form, the client in the body or by HTTP Basic. For service accounts, ' +
      'linked machines and API keys (`client_id` is the `clientId` or the `id` of the key, `client_secret` its ' +
      '`secret`). Errors carry the code of section 5.2 in `code`.',
    access: 'public',
    body: OAuthTokenRequest,
    lenient: true,
    form: true,
    response: AccessToken,
    answersSecret: true,
  },
  getKeySet: {
    method: 'GET',
    path: '/.well-known/jwks.json',
    summary: 'The public keys of access tokens (RFC 7517)',
    access: 'public',
    response: JsonWebKeySet,
  },
});
