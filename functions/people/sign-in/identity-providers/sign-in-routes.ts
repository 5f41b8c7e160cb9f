import * as z from 'zod';
import { CodeChallenge } from '#shared/people/sign-in.ts';
import { EmailAddress } from '#shared/people/user.ts';
import { objectNamed } from '#shared/platform/http/records.ts';
import { defineRoutes, get, post } from '#shared/platform/http/route.ts';

const path = '/api/v1/sign-in/provider';

const publicId = z
  .string()
  .max(100)
  .meta({ description: 'from `POST /api/v1/sign-in/provider/find`', example: '0'.repeat(52) });

/** RFC 7636, section 4.1. */
const CodeVerifier = z
  .string()
  .regex(/^[\w.~-]{43,128}$/, 'must be a PKCE verifier (RFC 7636)')
  .meta({
    description: 'of the `codeChallenge` with which the sign-in began; the same verifier exchanges `code`',
    example: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
  });

export const ProviderAddress = objectNamed('IdentityProviderAddress', {
  url: z.string().meta({ description: 'of the identity provider; the browser goes there, within ten minutes' }),
});

export const providerSignInRoutes = defineRoutes({
  findSignInProvider: post(`${path}/find`, {
    summary: 'Find the identity provider of an address',
    description:
      'The answer depends on the domain of the address only: it is the same for addresses that the service does not know. `provider` is ' +
      'null where no organization has proved the domain.',
    access: 'public',
    body: objectNamed('SignInProviderSearch', { email: EmailAddress }),
    response: objectNamed('SignInProviderAnswer', {
      provider: z
        .object({
          id: z.string(),
          name: z.string().meta({ description: 'for the button' }),
          required: z.boolean().meta({ description: 'true: people with such an address sign in with it only' }),
        })
        .nullable(),
    }),
  }),
  beginProviderSignIn: post(`${path}/begin`, {
    summary: 'Begin a sign-in at an identity provider',
    description: 'The page keeps the verifier of `codeChallenge` and leads the browser to `url`.',
    access: 'public',
    body: objectNamed('ProviderSignIn', { provider: publicId, codeChallenge: CodeChallenge }),
    response: ProviderAddress,
    answersSecret: true,
  }),
  finishProviderSignIn: post(`${path}/finish`, {
    summary: 'Finish a sign-in at an identity provider',
    description:
      'The provider leads the browser to the redirect URI: send that address, with the verifier that the page kept. Each sign-in works ' +
      'once. A refused sign-in is `invalid_grant` with the reason, and is listed for administrators.',
    access: 'public',
    body: objectNamed('ProviderSignInEnd', {
      callback: z
        .url({ protocol: /^https?$/ })
        .max(16_000)
        .meta({
          description: 'the whole address to which the provider led the browser',
          example: 'https://exposure.example/sign-in/callback/0?code=1&state=2',
        }),
      codeVerifier: CodeVerifier,
    }),
    response: objectNamed('ProviderSignedIn', {
      status: z.enum(['signed_in', 'tested']).meta({
        description:
          '`signed_in`: exchange `code`. `tested`: an administrator tested the provider and reads the result',
      }),
      code: z.string().nullable().meta({ description: 'for `POST /api/v1/oauth/token`, once, within a minute' }),
    }),
    answersSecret: true,
  }),
  getSamlMetadata: get(`${path}/{id}/metadata`, {
    summary: 'Get the SAML metadata of this service for an identity provider',
    description: 'The address is `setup.entityId` of the provider; it is public, and holds no secret.',
    access: 'public',
    response: { contentType: 'text/xml; charset=utf-8' },
  }),
  receiveSamlResponse: post(`${path}/{id}/acs`, {
    summary: 'Take the response of a SAML identity provider',
    description:
      'A provider lets the browser post a form here (`setup.acsUrl`). The answer is a page that leads the browser to the redirect URI, which ' +
      'finishes the sign-in. A response without a sign-in that began here is refused as `invalid_grant`.',
    access: 'public',
    body: objectNamed('SamlResponse', {
      SAMLResponse: z
        .string()
        .min(1)
        .meta({ description: 'the response, in base64', example: 'PHNhbWxwOlJlc3BvbnNlLz4=' }),
      RelayState: z
        .string()
        .max(100)
        .meta({ description: 'as the sign-in began', example: '0'.repeat(43) }),
    }),
    lenient: true,
    form: true,
    response: { contentType: 'text/html; charset=utf-8' },
  }),
});
