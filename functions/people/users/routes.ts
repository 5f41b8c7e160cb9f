import * as z from 'zod';
import { AccountDeletion, Revocation } from '#shared/credentials/account-deletion.ts';
import { ClientRoleId } from '#shared/credentials/role-id.ts';
import { Attestation, PasskeyName, PasskeyOffer, PasskeyRecord, SecondProof } from '#shared/people/passkey-records.ts';
import { TotpOffer } from '#shared/people/second-step-records.ts';
import { Locale, TimeZone, USER_STATUSES, User } from '#shared/people/user.ts';
import { ownAdmin } from '#shared/platform/auth/access.ts';
import { Listing, Pagination, pageOf, SearchQuery, searchPageOf } from '#shared/platform/http/pagination.ts';
import {
  createBody,
  Id,
  objectNamed,
  patchBody,
  readOnly,
  Timestamp,
  trimmedText,
} from '#shared/platform/http/records.ts';
import { defineRoutes, get, patch, post, remove } from '#shared/platform/http/route.ts';

const users = '/api/v1/users';
const user = '/api/v1/users/{id}';
const me = '/api/v1/users/me';
const deviceCodes = `${me}/device-codes`;
const passkeys = '/api/v1/users/me/passkeys';
const totp = '/api/v1/users/me/totp';
const sessions = '/api/v1/users/me/sessions';
const viewer = { role: 'viewer' } as const;
const person = { person: true } as const;
/** An administrator changes the role; everything else is the person's own. */
export const ChangeableUser = User.extend({
  email: readOnly(User.shape.email),
  name: readOnly(User.shape.name),
  timeZone: readOnly(User.shape.timeZone),
  locale: readOnly(User.shape.locale),
});

const OwnOrganization = z.object({ id: Id, name: z.string(), userId: Id, active: z.boolean() });

/** The caller, in the organization of the access token. */
const Me = objectNamed('Me', {
  id: Id.meta({ description: 'the id of your user in this organization' }),
  personId: Id,
  email: z.string(),
  name: trimmedText(120),
  timeZone: TimeZone,
  locale: Locale,
  roles: User.shape.roles,
  teamIds: z.array(Id),
  activeOrganizationId: Id,
  organizations: z
    .array(OwnOrganization)
    .meta({ description: '`active`: you can switch there with `organization_id`' }),
});

const OwnChanges = objectNamed('MeUpdate', {
  name: trimmedText(120).optional(),
  timeZone: TimeZone.optional(),
  locale: Locale.optional(),
});

const Session = objectNamed('Session', {
  id: Id,
  device: z.string().meta({ description: 'the program, as it names itself' }),
  remoteAddress: z.string().meta({ description: 'the address at the sign-in' }),
  createdAt: Timestamp,
  lastUsedAt: Timestamp,
  current: z.boolean(),
});

const SessionsEnded = objectNamed('SessionsEnded', { ended: z.int().nonnegative() });

const SecondStepState = objectNamed('SecondStepState', {
  totp: z.boolean(),
  passkeys: z.int().nonnegative(),
  recoveryCodesLeft: z.int().nonnegative(),
});
const TotpCode = objectNamed('TotpCode', { code: z.string().min(6).max(20).meta({ example: '123456' }) });
const DeviceCode = objectNamed('DeviceCode', {
  userCode: z.string().max(20).meta({ description: 'with or without the hyphen', example: 'BCDF-GHJK' }),
});
const DeviceProgram = objectNamed('DeviceProgram', {
  client: z.string().meta({ description: 'as the program names itself' }),
  device: z.string(),
  remoteAddress: z.string().meta({ description: 'the address that started the program' }),
  createdAt: Timestamp,
  endsAt: Timestamp,
});
const DeviceDecision = objectNamed('DeviceDecision', { approved: z.boolean() });
const Proof = objectNamed('SecondStepProof', SecondProof);
const RecoveryCodes = objectNamed('RecoveryCodes', { recoveryCodes: z.array(z.string()) });

export const userRoutes = defineRoutes({
  listUsers: get(users, {
    summary: 'List the users of your organization, newest first',
    description: 'A deactivated user stays in the list.',
    access: viewer,
    query: Listing.extend({
      status: z.enum(USER_STATUSES).optional(),
      roleId: ClientRoleId.optional(),
    }),
    response: pageOf(User),
  }),
  searchUsers: get(`${users}/search`, {
    summary: 'Search users by the words of their name and e-mail address',
    description: 'Finds users of every status. The parts of an e-mail address are words.',
    access: viewer,
    query: SearchQuery,
    response: searchPageOf(User),
  }),
  getUser: get(user, {
    summary: 'Get a user',
    description: '`lastSignInAt` is null for a user without access.',
    access: viewer,
    response: User,
  }),
  inviteUser: post(users, {
    summary: 'Invite a person',
    description:
      'The person gets a letter with a link that works once, for three days, and chooses there how others see them. A person who is known ' +
      'to the service from another organization signs in as always. You cannot give a role above your own. An address that a user of your ' +
      'organization has is refused as `conflict`, with the user.',
    access: ownAdmin,
    body: createBody(User),
    response: User,
  }),
  inviteUserAgain: post(`${user}/invitation`, {
    summary: 'Send the invitation of a user again',
    description:
      'The links of earlier letters work until they expire. A user who is not `invited` is refused as `conflict`.',
    access: ownAdmin,
    response: User,
  }),
  updateUser: patch(user, {
    summary: 'Change the role of a user',
    description:
      'A merge patch; the new role holds within a minute. The last owner of an organization cannot be changed to another role, ' +
      'suspended or deactivated.',
    access: ownAdmin,
    body: patchBody(ChangeableUser, User),
    response: User,
  }),
  suspendUser: post(`${user}/suspend`, {
    summary: 'Suspend a user',
    description: 'The user loses access within a minute and keeps everything that is theirs, until `activate`.',
    access: ownAdmin,
    response: User,
  }),
  activateUser: post(`${user}/activate`, {
    summary: 'Activate a suspended or deactivated user again',
    description: 'The user keeps the id. Sessions and revoked credentials do not come back: the person signs in again.',
    access: ownAdmin,
    response: User,
  }),
  deactivateUser: remove(user, {
    summary: 'Deactivate a user who leaves',
    description:
      'The user loses access within a minute, in this organization, and stays in the list as `deactivated`. `made` names the API keys, link ' +
      'tokens and service accounts that the user created and that still worked; the keys and tokens are revoked too, unless `revoke` is ' +
      '`none`. Send the request again while `remaining` is above 0.',
    access: ownAdmin,
    query: Revocation,
    response: AccountDeletion,
  }),
  getMe: get(me, {
    summary: 'Get yourself, with your organizations',
    description: 'An API key or a service account is no person and is refused.',
    access: person,
    inPart: 'same',
    response: Me,
  }),
  updateMe: patch(me, {
    summary: 'Change your name, time zone or language',
    description: 'A merge patch. The change holds in all of your organizations.',
    access: person,
    inPart: 'same',
    body: OwnChanges,
    response: Me,
  }),
  listMySessions: get(sessions, {
    summary: 'List where you are signed in, newest first',
    description: 'A session ends 30 days after its last use.',
    access: person,
    inPart: 'same',
    query: Pagination,
    response: pageOf(Session),
  }),
  endMySessions: remove(sessions, {
    summary: 'Sign out everywhere',
    description: 'Ends all of your sessions, this one too, in every organization. Access tokens end within a minute.',
    access: person,
    inPart: 'same',
    response: SessionsEnded,
  }),
  endMySession: remove(`${sessions}/{id}`, {
    summary: 'Sign out of one session',
    description:
      '`current` instead of an id is the session of the request: the sign-out. A session that has ended is `not_found`.',
    access: person,
    inPart: 'same',
    response: SessionsEnded,
  }),
  getMySecondStep: get(`${me}/second-step`, {
    summary: 'Get your second step',
    description:
      'Whether an authenticator app is set up, how many passkeys you have, and how many recovery codes are left.',
    access: person,
    inPart: 'same',
    response: SecondStepState,
  }),
  offerTotp: post(totp, {
    summary: 'Set up an authenticator app',
    description:
      'Answers the secret for the app (RFC 6238). It counts once `confirm` got a code of the app. An app that is set up is removed first; ' +
      'otherwise the request is refused as `invalid_grant`.',
    access: person,
    inPart: 'same',
    response: TotpOffer,
    answersSecret: true,
  }),
  confirmTotp: post(`${totp}/confirm`, {
    summary: 'Confirm your authenticator app with its first code',
    description: 'From now on each sign-in needs a code. Only this answer shows the recovery codes.',
    access: person,
    inPart: 'same',
    body: TotpCode,
    response: RecoveryCodes,
    answersSecret: true,
  }),
  removeTotp: post(`${totp}/remove`, {
    summary: 'Remove your authenticator app',
    description: 'Needs a code of the app, a recovery code or a passkey, so that an open browser is not enough.',
    access: person,
    inPart: 'same',
    body: Proof,
    lenient: true,
    response: SecondStepState,
  }),
  renewRecoveryCodes: post(`${me}/recovery-codes`, {
    summary: 'Make new recovery codes',
    description: 'Needs a code of the app, a recovery code or a passkey. The earlier recovery codes end.',
    access: person,
    inPart: 'same',
    body: Proof,
    lenient: true,
    response: RecoveryCodes,
    answersSecret: true,
  }),
  findDeviceCode: post(deviceCodes, {
    summary: 'Look at the program that waits behind a code',
    description:
      'A program showed the code (`POST /api/v1/sign-in/device`). Approve only a program that you have just started yourself. A code ' +
      'that is wrong, used or older than ten minutes is `not_found`; you can enter 20 codes in an hour.',
    access: person,
    inPart: 'same',
    body: DeviceCode,
    response: DeviceProgram,
  }),
  approveDeviceCode: post(`${deviceCodes}/approve`, {
    summary: 'Sign a program in',
    description: 'The program gets a session of its own, which you can end. It cannot if your session ends before.',
    access: person,
    inPart: 'same',
    body: DeviceCode,
    response: DeviceDecision,
  }),
  refuseDeviceCode: post(`${deviceCodes}/refuse`, {
    summary: 'Refuse a program',
    description: 'The program learns it with its next request (`access_denied`).',
    access: person,
    inPart: 'same',
    body: DeviceCode,
    response: DeviceDecision,
  }),
  listMyPasskeys: get(passkeys, {
    summary: 'List your passkeys, the oldest first',
    description: 'At most ten.',
    access: person,
    inPart: 'same',
    query: Pagination,
    response: pageOf(PasskeyRecord),
  }),
  offerPasskey: post(`${passkeys}/options`, {
    summary: 'Ask for a challenge for a new passkey',
    description: 'The answer is for `navigator.credentials.create()`. The challenge works once, for five minutes.',
    access: person,
    inPart: 'same',
    response: PasskeyOffer,
  }),
  addMyPasskey: post(passkeys, {
    summary: 'Add a passkey',
    description:
      'From now on each sign-in needs a second step, which the passkey is also. `recoveryCodes` are shown once, with the first second ' +
      'step; otherwise the list is empty. Who has a second step proves it with `code` or `proof`, so that an open browser is not enough.',
    access: person,
    inPart: 'same',
    body: objectNamed('PasskeyCreate', {
      passkey: Attestation,
      name: PasskeyName,
      code: SecondProof.code,
      proof: SecondProof.passkey,
    }),
    lenient: true,
    response: PasskeyRecord.extend({ recoveryCodes: z.array(z.string()) }).meta({ id: 'PasskeyAdded' }),
    answersSecret: true,
  }),
  renameMyPasskey: patch(`${passkeys}/{id}`, {
    summary: 'Rename a passkey',
    description: 'Changes the name alone.',
    access: person,
    inPart: 'same',
    body: objectNamed('PasskeyUpdate', { name: PasskeyName.optional() }),
    response: PasskeyRecord,
  }),
  removeMyPasskey: post(`${passkeys}/{id}/remove`, {
    summary: 'Remove a passkey',
    description:
      'Needs a code of the app, a recovery code or a passkey, so that an open browser is not enough. The recovery codes end with the last ' +
      'second step.',
    access: person,
    inPart: 'same',
    body: Proof,
    lenient: true,
    response: SecondStepState,
  }),
});
