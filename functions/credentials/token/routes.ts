import * as z from 'zod';
import { objectNamed } from '#shared/platform/http/records.ts';
import { defineRoutes, get, post } from '#shared/platform/http/route.ts';

/** All fields are optional, so that a missing one is answered with a code of OAuth (RFC 6749, section 5.2). */
export const OAuthTokenRequest = objectNamed('OAuthTokenRequest', {
  grant_type: z.string().optional().meta({ example: 'client_credentials' }),
  client_id: z.string().optional().meta({ description: 'in the body or by HTTP Basic, like `client_secret`' }),
  client_secret: z.string().optional(),
  scope: z
    .string()
    .optional()
    .meta({ description: 'narrows the scopes of an API key; scopes are separated by spaces' }),
});
export type OAuthTokenRequest = z.infer<typeof OAuthTokenRequest>;

const AccessToken = objectNamed('AccessToken', {
  access_token: z.string(),
  token_type: z.literal('Bearer'),
  expires_in: z.int().positive().meta({ description: 'seconds' }),
  scope: z.string().meta({ description: 'the scopes of an API key, otherwise `role:...` or `machine:...`' }),
});

const JsonWebKeySet = objectNamed('JsonWebKeySet', {
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
});

export const tokenRoutes = defineRoutes({
  issueToken: post('/api/v1/oauth/token', {
    operation: 'Token',
    summary: 'Exchange client credentials for an access token of one hour',
    description:
      'Follows RFC 6749, section 4.4. Send JSON or a form. Send the client in the body or by HTTP Basic. Service accounts, linked ' +
      'machines and API keys can be clients. For an API key, `client_id` is its `clientId` or `id` and `client_secret` its ' +
      '`secret`. The `code` of an error is a code of section 5.2.',
    access: 'public',
    body: OAuthTokenRequest,
    example: { client_id: '01900000-0000-7000-8000-000000000000', client_secret: 'the-secret' },
    lenient: true,
    form: true,
    response: AccessToken,
    answersSecret: true,
  }),
  getKeySet: get('/.well-known/jwks.json', {
    summary: 'Get the public keys of access tokens (RFC 7517)',
    description:
      'A new key is published ten minutes before it signs, and a replaced key stays until its last token has expired. After a leak ' +
      'the old key is removed at once. Fetch the set again when a token names an unknown `kid`.',
    access: 'public',
    response: JsonWebKeySet,
  }),
});
