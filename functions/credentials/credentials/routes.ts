import * as z from 'zod';
import { AccountDeletion, Revocation } from '#shared/credentials/account-deletion.ts';
import { ApiKey } from '#shared/credentials/api-key.ts';
import { LinkToken } from '#shared/credentials/link-token.ts';
import { RoleId } from '#shared/credentials/role-id.ts';
import { ServiceAccount } from '#shared/credentials/service-account.ts';
import { admin, orStaff, ownAdmin } from '#shared/platform/auth/access.ts';
import { MACHINE_KINDS } from '#shared/platform/auth/permissions.ts';
import { Listing, pageOf } from '#shared/platform/http/pagination.ts';
import {
  createBody,
  Deletion,
  Id,
  objectNamed,
  patchBody,
  readOnly,
  Timestamp,
  text,
} from '#shared/platform/http/records.ts';
import { defineRoutes, get, patch, post, remove } from '#shared/platform/http/route.ts';
import { CurrentCredential } from './current-credential.ts';
import { supportGrantRoutes } from './grant-routes.ts';
import { publisherRoutes } from './publisher-routes.ts';

const organization = '/api/v1/organization';

const Overlap = z.object({
  overlapSeconds: z.int().min(0).max(86_400).default(3600).meta({
    description:
      'seconds for which the earlier secrets keep working; use 0 after a leak, which also ends the access tokens within a minute',
  }),
});
const RotatedSecret = objectNamed('RotatedSecret', {
  id: Id,
  clientId: z.string(),
  clientSecret: z.string().meta({ description: 'shown once' }),
  previousWorksUntil: Timestamp,
});

/** A service account whose role, part and end cannot change. */
export const ChangeableAccount = ServiceAccount.extend({
  role: readOnly(RoleId),
  scope: readOnly(ServiceAccount.shape.scope),
  expiresAt: readOnly(ServiceAccount.shape.expiresAt),
});

const CreateLinkToken = createBody(LinkToken).extend({
  expiresAt: Timestamp.optional().meta({ description: 'by default a day from now; at most a year from now' }),
});

const ByMaker = Listing.extend({
  createdById: text(120).optional().meta({ description: 'created by this account, which may be revoked' }),
});

export const credentialRoutes = defineRoutes({
  ...supportGrantRoutes,
  ...publisherRoutes,
  getCurrentCredential: get(`${organization}/credential`, {
    summary: 'Get the credential of this request',
    description:
      'A person, an account, a key or a machine sees its own name, its organization, and its role or scopes.',
    access: 'authenticated',
    inPart: 'same',
    response: CurrentCredential,
  }),
  createApiKey: post(`${organization}/api-keys`, {
    summary: 'Create an API key',
    description:
      'Only this answer shows the `secret`. Send it as `Authorization: Bearer exk_...`. A key for CI has the scope `imports:write`, and ' +
      '`boundTo` with its repository (docs/branches.md).',
    access: ownAdmin,
    body: createBody(ApiKey),
    response: ApiKey.extend({ secret: z.string().meta({ description: 'shown once' }) }).meta({ id: 'CreatedApiKey' }),
    answersSecret: true,
  }),
  listApiKeys: get(`${organization}/api-keys`, {
    summary: 'List API keys, newest first, revoked ones included',
    description: 'An expired key stays in the list, with the `status` `expired`. The list has no `secret`.',
    access: admin,
    query: ByMaker,
    response: pageOf(ApiKey),
  }),
  getApiKey: get(`${organization}/api-keys/{id}`, {
    summary: 'Get an API key',
    description: 'A revoked or expired key has that `status`. After the revocation `lastUsedAt` is null.',
    access: admin,
    response: ApiKey,
  }),
  revokeApiKey: remove(`${organization}/api-keys/{id}`, {
    summary: 'Revoke an API key',
    description: 'The key and its access tokens stop working within a minute. The key stays in the list as `revoked`.',
    access: ownAdmin,
    response: Deletion,
  }),
  createServiceAccount: post(`${organization}/service-accounts`, {
    summary: 'Create a service account',
    description:
      'A service account has client credentials and a role, for automation that needs more than the scopes of API keys. Only this ' +
      'answer shows the `clientSecret`; `POST /api/v1/oauth/token` exchanges `clientId` and `clientSecret` for an access token. ' +
      'You cannot give a role above your own. Only staff of the provider give the roles of staff: clients may assign such an ' +
      'account to engagements and see its name, `email` and `skills`. Among the staff, only a `platform_owner` gives roles of an ' +
      'organization.',
    access: orStaff('manager', ownAdmin),
    body: createBody(ServiceAccount),
    response: ServiceAccount.extend({ clientSecret: z.string().meta({ description: 'shown once' }) }).meta({
      id: 'CreatedServiceAccount',
    }),
    answersSecret: true,
  }),
  listServiceAccounts: get(`${organization}/service-accounts`, {
    summary: 'List service accounts, newest first, revoked ones included',
    description:
      'Lists the accounts of your organization; staff see the accounts of the provider. Expired accounts stay in the list. The ' +
      'list has no `clientSecret`.',
    access: orStaff('manager', admin),
    query: Listing,
    response: pageOf(ServiceAccount),
  }),
  getServiceAccount: get(`${organization}/service-accounts/{id}`, {
    summary: 'Get a service account',
    description: 'A revoked or expired account has that `status`. After the revocation `lastUsedAt` is null.',
    access: orStaff('manager', admin),
    response: ServiceAccount,
  }),
  updateServiceAccount: patch(`${organization}/service-accounts/{id}`, {
    summary: 'Change the name of a service account, or the email and skills of staff',
    description: 'A merge patch. Earlier access tokens show the old name until they expire.',
    access: orStaff('manager', ownAdmin),
    body: patchBody(ChangeableAccount, ServiceAccount),
    response: ServiceAccount,
  }),
  revokeServiceAccount: remove(`${organization}/service-accounts/{id}`, {
    summary: 'Revoke a service account',
    description:
      'The account, its access tokens and its calendar feed stop working within a minute. The account stays in the list as ' +
      '`revoked`; a revoked member of staff can no longer be assigned. `made` names the API keys, link tokens and service accounts ' +
      'that the account created and that still worked. The keys and tokens are revoked too, unless `revoke` is `none`. The service ' +
      'accounts stay: revoke each account that nobody needs. Machines that were linked with the tokens stay linked. Send the ' +
      'request again while `remaining` is above 0.',
    access: orStaff('manager', ownAdmin),
    irreversible: 'sometimes',
    query: Revocation,
    response: AccountDeletion,
  }),
  rotateServiceAccountSecret: post(`${organization}/service-accounts/{id}/secret`, {
    summary: 'Give a service account a new secret',
    description:
      'Only this answer shows the `clientSecret`. An account has at most five working secrets; a sixth is refused as ' +
      '`limit_exceeded`. A revoked account is refused as `conflict`, and an account with a role that you may not give as ' +
      '`insufficient_scope`.',
    access: orStaff('manager', ownAdmin),
    body: Overlap,
    response: RotatedSecret,
    answersSecret: true,
  }),
  createLinkToken: post(`${organization}/link-tokens`, {
    summary: 'Create a link token',
    description:
      'A machine sends `linkToken` once to the link endpoint of its kind and gets its own credential. Only this answer shows the ' +
      '`linkToken`.',
    access: ownAdmin,
    body: CreateLinkToken,
    response: LinkToken.extend({ linkToken: z.string().meta({ description: 'shown once' }) }).meta({
      id: 'CreatedLinkToken',
    }),
    answersSecret: true,
  }),
  listLinkTokens: get(`${organization}/link-tokens`, {
    summary: 'List link tokens, newest first, expired and revoked ones included',
    description: '`uses` counts the machines that were linked with a token. The list has no `linkToken`.',
    access: admin,
    query: ByMaker,
    response: pageOf(LinkToken),
  }),
  getLinkToken: get(`${organization}/link-tokens/{id}`, {
    summary: 'Get a link token',
    description: 'A token past its end is `expired`, even if it was used up before. The answer has no `linkToken`.',
    access: admin,
    response: LinkToken,
  }),
  revokeLinkToken: remove(`${organization}/link-tokens/{id}`, {
    summary: 'Revoke a link token',
    description: 'Machines that were linked with the token stay linked. The token stays in the list as `revoked`.',
    access: ownAdmin,
    response: Deletion,
  }),
  releaseMachine: post('/api/v1/machines/{id}/release', {
    summary: 'Let a machine link again without its secret',
    description:
      'For a machine of any kind that lost its secret, for example by a reinstallation. Until `releasedUntil` the machine can link ' +
      'again once, with its `instanceId` or `clientId` and a link token, and stays the same machine. Its current secret works ' +
      'until then.',
    access: orStaff('manager', ownAdmin),
    response: z.object({ id: Id, releasedUntil: Timestamp }).meta({ id: 'MachineRelease' }),
  }),
  rotateMachineSecret: post('/api/v1/machine/secret', {
    summary: 'Give the calling machine a new secret',
    description:
      'Any linked machine can call this for itself. Its earlier secrets keep working for an hour by default: a machine that lost ' +
      'the answer calls again with its earlier secret.',
    access: { machines: MACHINE_KINDS },
    body: Overlap,
    lenient: true,
    response: RotatedSecret,
    answersSecret: true,
  }),
});
