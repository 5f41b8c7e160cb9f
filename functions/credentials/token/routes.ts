import * as z from 'zod';
import { SUPPORT_ROLES } from '#shared/credentials/support-grant.ts';
import { Id, objectNamed, Timestamp } from '#shared/platform/http/records.ts';
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
  code: z.string().optional().meta({ description: 'of a sign-in, for `authorization_code`' }),
  code_verifier: z.string().optional().meta({ description: 'the PKCE verifier of the code (RFC 7636)' }),
  refresh_token: z
    .string()
    .optional()
    .meta({ description: 'for `refresh_token`; browsers have it in a cookie instead' }),
  organization_id: z.string().optional().meta({ description: 'the organization that a person works in' }),
  device_code: z.string().optional().meta({ description: 'of `POST /api/v1/sign-in/device`' }),
  subject_token: z.string().optional().meta({ description: "a CI job's identity token of its code host (RFC 8693)" }),
  subject_token_type: z
    .string()
    .optional()
    .meta({ description: '`urn:ietf:params:oauth:token-type:jwt` or `...:id_token`' }),
  refresh_token_in: z.enum(['cookie', 'body']).optional().meta({
    description:
      'where the next refresh token of a person is; by default in a cookie that scripts cannot read; a session in a cookie stays there',
  }),
});
export type OAuthTokenRequest = z.infer<typeof OAuthTokenRequest>;

const AccessToken = objectNamed('AccessToken', {
  access_token: z.string(),
  token_type: z.literal('Bearer'),
  expires_in: z.int().positive().meta({ description: 'seconds' }),
  scope: z.string().meta({ description: 'the scopes of an API key, otherwise `role:...` or `machine:...`' }),
  refresh_token: z.string().optional(),
  issued_token_type: z.string().optional().meta({ description: 'of an exchanged token (RFC 8693)' }),
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

const SupportAccess = objectNamed('SupportAccess', {
  accessToken: z.string().meta({ description: 'shown once; send it as `Authorization: Bearer`' }),
  expiresAt: Timestamp,
  organizationId: Id,
  grantId: Id,
  role: z.enum(SUPPORT_ROLES),
});

export const tokenRoutes = defineRoutes({
  issueToken: post('/api/v1/oauth/token', {
    operation: 'Token',
    summary: 'Get an access token',
    description:
      '**Programs** send `client_credentials` (RFC 6749, section 4.4) and get a token of one hour. Send JSON or a form. Send the client in the body or by HTTP Basic. Service accounts, linked ' +
      'machines and API keys can be clients. For an API key, `client_id` is its `clientId` or `id` and `client_secret` its ' +
      '`secret`. The `code` of an error is a code of section 5.2.\n\n' +
      '**People** send `authorization_code` with the code of a sign-in (`POST /api/v1/sign-in/verify`) and its PKCE verifier, and get a ' +
      'token of 15 minutes for one of their organizations. `refresh_token` gets the next token, also for another organization ' +
      '(`organization_id`). Each refresh token works once; one that comes again ends the session.\n\n' +
      '**Programs in which a person signs in** send `urn:ietf:params:oauth:grant-type:device_code` with `device_code` and `client_id` (RFC 8628) ' +
      'every `interval` seconds. `authorization_pending` and `slow_down`: ask again later; `access_denied` and `expired_token`: it is over.\n\n' +
      '**CI jobs** send `urn:ietf:params:oauth:grant-type:token-exchange` (RFC 8693) with `subject_token`, the identity token that GitHub Actions or ' +
      'GitLab CI gives them for the audience of this service (`iss` of its access tokens), `subject_token_type` and `organization_id`. The organization trusts the repository ' +
      '(`POST /api/v1/organization/trusted-publishers`). The token has the scope `imports:write` for the branch of the job, for ten minutes. ' +
      'An identity token works once.',
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
  accessOrganization: post('/api/v1/organizations/{id}/access', {
    summary: 'Get an access token for an organization that granted you access',
    description:
      'For all staff. The organization must have a current grant for you or for all staff (`POST /api/v1/organization/support-grants`). The ' +
      'token is valid for an hour. It ends within a minute when the grant ends, or your account.',
    access: { staff: 'pentester' },
    body: objectNamed('SupportAccessRequest', {
      grantId: Id.optional().meta({ description: 'default: the current grant with the highest role' }),
      role: z
        .enum(SUPPORT_ROLES)
        .optional()
        .meta({ description: 'at most the role of the grant, which is the default' }),
    }),
    response: SupportAccess,
    answersSecret: true,
  }),
});
