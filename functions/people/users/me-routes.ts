import * as z from 'zod';
import { Locale, TimeZone, User } from '#shared/people/user.ts';
import { Pagination, pageOf } from '#shared/platform/http/pagination.ts';
import { Id, nameText, objectNamed, Timestamp } from '#shared/platform/http/records.ts';
import { defineRoutes, get, patch, remove } from '#shared/platform/http/route.ts';

const me = '/api/v1/users/me';
const sessions = '/api/v1/users/me/sessions';
const person = { person: true } as const;

const OwnOrganization = z.object({ id: Id, name: z.string(), userId: Id, active: z.boolean() });

/** The caller, in the organization of the access token. */
const Me = objectNamed('Me', {
  id: Id.meta({ description: 'the id of your user in this organization' }),
  personId: Id,
  email: z.string(),
  name: nameText(120),
  timeZone: TimeZone,
  locale: Locale,
  roles: User.shape.roles,
  teamIds: z.array(Id),
  identities: z.array(z.object({ providerId: Id, provider: z.string(), subject: z.string() })).meta({
    description: 'how identity providers of this organization name you; `provider`: the name of the provider',
  }),
  activeOrganizationId: Id,
  organizations: z
    .array(OwnOrganization)
    .meta({ description: '`active`: you can switch there with `organization_id`' }),
});

const OwnChanges = objectNamed('MeUpdate', {
  name: nameText(120).optional(),
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

export const IdentityUnlinked = objectNamed('IdentityUnlinked', {
  providerId: Id,
  subject: z.string(),
  ended: z.int().nonnegative().meta({ description: 'sessions' }),
});

const SessionsEnded = objectNamed('SessionsEnded', { ended: z.int().nonnegative() });

/** The caller's own record, and where they are signed in. */
export const meRoutes = defineRoutes({
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
  unlinkMyIdentity: remove(`${me}/identities/{providerId}`, {
    summary: 'Remove the link between you and an account at an identity provider',
    description:
      'Ends your sessions that began at the provider. The next sign-in there links the account that it names then. Where the organization ' +
      'requires the provider, you still sign in there only.',
    access: person,
    inPart: 'same',
    response: IdentityUnlinked,
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
});
