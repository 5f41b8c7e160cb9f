import * as z from 'zod';
import { AccountDeletion, Revocation } from '#shared/credentials/account-deletion.ts';
import { ClientRoleId } from '#shared/credentials/role-id.ts';
import { ShownUser, USER_STATUSES, User } from '#shared/people/user.ts';
import { ownAdmin } from '#shared/platform/auth/access.ts';
import { Listing, pageOf, SearchQuery, searchPageOf } from '#shared/platform/http/pagination.ts';
import { createBody, patchBody, readOnly } from '#shared/platform/http/records.ts';
import { defineRoutes, get, patch, post, remove } from '#shared/platform/http/route.ts';
import { deviceRoutes } from './device-routes.ts';
import { IdentityUnlinked, meRoutes } from './me-routes.ts';
import { secondStepRoutes } from './second-step-routes.ts';

const users = '/api/v1/users';
const user = '/api/v1/users/{id}';
const viewer = { role: 'viewer' } as const;
/** An administrator changes the role; everything else is the person's own. */
export const ChangeableUser = User.extend({
  email: readOnly(User.shape.email),
  name: readOnly(User.shape.name),
  timeZone: readOnly(User.shape.timeZone),
  locale: readOnly(User.shape.locale),
});

export const userRoutes = defineRoutes({
  listUsers: get(users, {
    summary: 'List the users of your organization, newest first',
    description: 'A deactivated user stays in the list.',
    access: viewer,
    inPart: 'same',
    query: Listing.extend({
      status: z.enum(USER_STATUSES).optional(),
      roleId: ClientRoleId.optional(),
    }),
    response: pageOf(ShownUser),
  }),
  searchUsers: get(`${users}/search`, {
    summary: 'Search users by the words of their name and e-mail address',
    description: 'Finds users of every status. The parts of an e-mail address are words.',
    access: viewer,
    inPart: 'same',
    query: SearchQuery,
    response: searchPageOf(ShownUser),
  }),
  getUser: get(user, {
    summary: 'Get a user',
    description: '`lastSignInAt` is null for a user without access.',
    access: viewer,
    inPart: 'same',
    response: ShownUser,
  }),
  inviteUser: post(users, {
    summary: 'Invite a person',
    description:
      'The person gets a letter with a link that works once, for three days, and chooses there how others see them. A person who is known ' +
      'to the service from another organization signs in as always. You cannot give a role above your own. An address that a user of your ' +
      'organization has is refused as `conflict`, with the user. An organization sends five invitations to an address in an hour at most, and ' +
      '50 in a day during its trial.',
    access: ownAdmin,
    body: createBody(User),
    response: ShownUser,
  }),
  inviteUserAgain: post(`${user}/invitation`, {
    summary: 'Send the invitation of a user again',
    description:
      'The links of earlier letters work until they expire. A user who is not `invited` is refused as `conflict`.',
    access: ownAdmin,
    response: ShownUser,
  }),
  updateUser: patch(user, {
    summary: 'Change the role of a user',
    description:
      'A merge patch; the new role holds within a minute. The last owner of an organization cannot be changed to another role, ' +
      'suspended or deactivated.',
    access: ownAdmin,
    irreversible: 'sometimes',
    body: patchBody(ChangeableUser, User),
    response: ShownUser,
  }),
  suspendUser: post(`${user}/suspend`, {
    summary: 'Suspend a user',
    description: 'The user loses access within a minute and keeps everything that is theirs, until `activate`.',
    access: ownAdmin,
    irreversible: 'sometimes',
    response: ShownUser,
  }),
  activateUser: post(`${user}/activate`, {
    summary: 'Activate a suspended or deactivated user again',
    description: 'The user keeps the id. Sessions and revoked credentials do not come back: the person signs in again.',
    access: ownAdmin,
    response: ShownUser,
  }),
  unlinkIdentity: remove(`${user}/identities/{providerId}`, {
    summary: 'Remove the link between a user and an account at an identity provider',
    description:
      'For an account at the provider that belongs to another person, or that the provider created again. Ends the sessions that began there; the next sign-in links ' +
      'the account that the provider names then. `enforcement` holds as before.',
    access: ownAdmin,
    response: IdentityUnlinked,
  }),
  deactivateUser: remove(user, {
    summary: 'Deactivate a user who leaves',
    description:
      'The user loses access within a minute, in this organization, and stays in the list as `deactivated`. `made` names the API keys, link ' +
      'tokens and service accounts that the user created and that still worked; the keys and tokens are revoked too, unless `revoke` is ' +
      '`none`. Send the request again while `remaining` is above 0.',
    access: ownAdmin,
    irreversible: 'sometimes',
    query: Revocation,
    response: AccountDeletion,
  }),
  ...meRoutes,
  ...secondStepRoutes,
  ...deviceRoutes,
});
