import * as z from 'zod';
import { PartScope } from '#shared/credentials/part.ts';
import { IdentityProvider } from '#shared/people/identity-provider.ts';
import { CodeChallenge } from '#shared/people/sign-in.ts';
import { admin, ownAdmin } from '#shared/platform/auth/access.ts';
import { Listing, Pagination, pageOf } from '#shared/platform/http/pagination.ts';
import {
  createBody,
  Deletion,
  live,
  objectNamed,
  patchBody,
  readOnly,
  Timestamp,
  trimmedText,
} from '#shared/platform/http/records.ts';
import { defineRoutes, get, patch, post, remove } from '#shared/platform/http/route.ts';
import { REASONS } from './protocol.ts';
import { ProviderAddress } from './sign-in-routes.ts';

const path = '/api/v1/sign-in/identity-providers';

const reason = z.enum(REASONS);

const Attempt = objectNamed('SignInAttempt', {
  at: Timestamp,
  reason,
  message: z.string(),
  email: z.string().nullable().meta({ description: 'as the provider says' }),
});

const { kind, ...shape } = IdentityProvider.shape;

/** An identity provider as it is answered. */
export const IdentityProviderView = objectNamed('IdentityProvider', {
  ...shape,
  kind: readOnly(kind),
  setup: live(
    z.object({
      redirectUri: z.string().meta({ description: 'where the provider leads the browser after a sign-in' }),
      entityId: z.string().meta({ description: 'of this service in SAML; its metadata is there' }),
      acsUrl: z.string().meta({ description: 'in SAML: where the provider posts responses' }),
      scimBaseUrl: z.string().meta({ description: 'for a directory that adds and deactivates users' }),
    }),
  ).meta({ description: 'values to enter at the identity provider', readOnly: true }),
  lastError: live(Attempt.nullable()).meta({
    description: 'the last failed sign-in, if none succeeded since',
    readOnly: true,
  }),
});
export type IdentityProviderView = z.infer<typeof IdentityProviderView>;

const secrets = {
  clientSecret: trimmedText(2000).optional().meta({
    description:
      'of the client at the provider; stored encrypted and in no answer. Without a secret the client is public',
    writeOnly: true,
  }),
  samlMetadata: z
    .string()
    .max(300_000)
    .optional()
    .meta({ description: 'XML of the provider, in place of the settings `saml`', writeOnly: true }),
};

const domainName = trimmedText(253).meta({ example: 'example.org' });

export const identityProviderRoutes = defineRoutes({
  listIdentityProviders: get(path, {
    summary: 'List the identity providers of your organization, newest first',
    description: 'With the last failure of each. Secrets are in no answer.',
    access: admin,
    query: Listing,
    response: pageOf(IdentityProviderView),
  }),
  createIdentityProvider: post(path, {
    summary: 'Create a draft of an identity provider',
    description:
      'Only `kind` and `name` are needed: the answer has the values to enter at the provider (`setup`). Then set `oidc` and ' +
      '`clientSecret`, or `saml` or `samlMetadata`, test, prove a domain and activate. An organization has at most 10 providers.',
    access: ownAdmin,
    body: createBody(IdentityProviderView, { kind, ...secrets }).meta({ id: 'IdentityProviderCreate' }),
    response: IdentityProviderView,
  }),
  getIdentityProvider: get(`${path}/{id}`, {
    summary: 'Read an identity provider, with the values to enter at it',
    description: '`setup` has the values of this service. The client secret is in no answer.',
    access: admin,
    response: IdentityProviderView,
  }),
  updateIdentityProvider: patch(`${path}/{id}`, {
    summary: 'Change an identity provider',
    description:
      'A merge patch. Other settings (`oidc`, `saml`) make a draft of the provider, which is tested again; an active provider is disabled ' +
      'first. An active provider takes a new `clientSecret`, and other certificates of an owner. Roles of the mapping are within your own.',
    access: ownAdmin,
    body: patchBody(IdentityProviderView.extend(secrets), IdentityProviderView),
    response: IdentityProviderView,
  }),
  deleteIdentityProvider: remove(`${path}/{id}`, {
    summary: 'Delete an identity provider that is not active',
    description: 'Its domains are free. Users stay, and sign in by a letter or with another provider.',
    access: ownAdmin,
    response: Deletion,
  }),
  testIdentityProvider: post(`${path}/{id}/test`, {
    summary: 'Begin a test of an identity provider',
    description:
      'Lead a browser to `url` and sign in there; the page of the redirect URI finishes the test. It signs nobody in here and changes no ' +
      'user. A draft that says who somebody is becomes `tested`.',
    access: ownAdmin,
    body: objectNamed('IdentityProviderTestStart', { codeChallenge: CodeChallenge }),
    response: ProviderAddress,
    answersSecret: true,
  }),
  getIdentityProviderTest: get(`${path}/{id}/test`, {
    summary: 'Read the result of the last test: the claims, and the role and teams that they give',
    description:
      'Refused as `not_found` until a browser has finished a test. `problem` says why a sign-in would be refused.',
    access: admin,
    response: objectNamed('IdentityProviderTest', {
      at: Timestamp,
      subject: z.string(),
      email: z.string().nullable(),
      emailVerified: z.boolean(),
      name: z.string().nullable(),
      claims: z.record(z.string(), z.unknown()).meta({ description: 'at most 50,000 characters' }),
      roleId: z
        .string()
        .nullable()
        .meta({ description: 'that a new person with these claims gets; null: none, so that the person is refused' }),
      scope: PartScope.optional(),
      teamIds: z.array(z.string()).meta({ description: 'of which a person with these claims becomes a member' }),
      problem: z.object({ reason, message: z.string() }).nullable().meta({
        description: 'why a sign-in of this person is refused',
      }),
    }),
  }),
  activateIdentityProvider: post(`${path}/{id}/activate`, {
    summary: 'Activate an identity provider',
    description:
      'The provider is tested and has a proved domain. From now on `enforcement` counts. Where an organization has an owner, only owners ' +
      'activate: the provider says who is an owner.',
    access: ownAdmin,
    response: IdentityProviderView,
  }),
  disableIdentityProvider: post(`${path}/{id}/disable`, {
    summary: 'Disable an identity provider',
    description:
      'Nobody signs in with the provider and nothing is enforced. Sessions that it opened count as opened by a letter.',
    access: ownAdmin,
    response: IdentityProviderView,
  }),
  listSignInAttempts: get(`${path}/{id}/attempts`, {
    summary: 'List the failed sign-ins at an identity provider with their reasons, newest first',
    description: 'The newest 100 are kept.',
    access: admin,
    query: Pagination,
    response: pageOf(Attempt),
  }),
  addProviderDomain: post(`${path}/{id}/domains`, {
    summary: 'Add an e-mail domain to an identity provider',
    description:
      'The answer has the DNS record that proves the domain. A domain belongs to one provider. Public suffixes and domains at which anybody ' +
      'gets an address are refused.',
    access: ownAdmin,
    body: objectNamed('ProviderDomainCreate', { name: domainName }),
    response: IdentityProviderView,
  }),
  verifyProviderDomain: post(`${path}/{id}/domains/{name}/verify`, {
    summary: 'Look for the DNS record that proves a domain',
    description: 'Refused as `conflict` while the name servers do not answer the record.',
    access: ownAdmin,
    response: IdentityProviderView,
  }),
  removeProviderDomain: remove(`${path}/{id}/domains/{name}`, {
    summary: 'Remove an e-mail domain from an identity provider',
    description: 'People with addresses of the domain no longer sign in with the provider.',
    access: ownAdmin,
    response: IdentityProviderView,
  }),
});
