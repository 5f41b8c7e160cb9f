import * as z from 'zod';
import { PartScope } from '#shared/credentials/part.ts';
import { ClientRoleId } from '#shared/credentials/role-id.ts';
import { hashSecret } from '#shared/platform/auth/token-format.ts';
import { Id, nameText, readOnly, recordFields, Timestamp } from '#shared/platform/http/records.ts';
import type { StateMachine } from '#shared/platform/runtime/state-machine.ts';
import { defineEntity } from '#shared/platform/table/entity.ts';

export const USER_STATUSES = ['invited', 'active', 'suspended', 'deactivated'] as const;
type UserStatus = (typeof USER_STATUSES)[number];

/** A `suspended` user keeps what they own and comes back; a `deactivated` user has left. Both lose access within a minute. */
export const userStates: StateMachine<UserStatus, 'accept' | 'suspend' | 'activate' | 'deactivate'> = {
  invited: { accept: 'active', deactivate: 'deactivated' },
  active: { suspend: 'suspended', deactivate: 'deactivated' },
  suspended: { activate: 'active', deactivate: 'deactivated' },
  deactivated: { activate: 'active' },
};

const isTimeZone = (name: string): boolean => {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
};

export const TimeZone = z
  .string()
  .max(64)
  .refine(isTimeZone, 'must be a time zone such as Europe/Berlin')
  .meta({ description: 'a name of the IANA time zone database', example: 'Europe/Berlin' });
export const Locale = z
  .string()
  .regex(/^[a-z]{2,3}(-[A-Z]{2})?$/, 'must be a language such as en or de-CH')
  .meta({ example: 'en' });

export const EmailAddress = z
  .string()
  .trim()
  .toLowerCase()
  .max(254)
  .pipe(z.email('must be an e-mail address such as ana@example.org'))
  .meta({ example: 'ana@example.org' });

/** How the directory of the organization names a user (RFC 7643, sections 3.1 and 4.1). */
const Directory = z.object({
  userName: z.string(),
  externalId: z.string().nullable(),
  givenName: z.string().nullable(),
  familyName: z.string().nullable(),
});

const Mfa = z.object({ totp: z.boolean(), passkeys: z.int().nonnegative(), required: z.boolean() });

/** Before it is shown: the second steps are the person's, and the demand is the organization's. */
export const NO_MFA = { totp: false, passkeys: 0, required: false };

const Held = z
  .object({ roleId: ClientRoleId, scope: PartScope.optional() })
  .refine(({ roleId, scope }) => !(scope && roleId === 'owner'), {
    path: ['scope'],
    message: 'must be left out for an owner, who answers for the whole organization',
  });

/** A subject of an identity provider. `issuedFor`: the issuer and the client that the subject is for. */
const Identity = z.object({ providerId: Id, issuedFor: z.string(), subject: z.string() });
export type Identity = z.infer<typeof Identity>;

export const MAX_NAME = 120;

/** A person in one organization. */
export const User = z.object({
  ...recordFields,
  email: EmailAddress,
  name: nameText(MAX_NAME).meta({ example: 'Ana Lima' }),
  timeZone: TimeZone.default('UTC'),
  locale: Locale.default('en'),
  roles: z
    .array(Held)
    .min(1)
    .max(1)
    .meta({ example: [{ roleId: 'analyst' }], description: 'what the user may do in this organization' }),
  status: readOnly(z.enum(USER_STATUSES)),
  personId: readOnly(Id),
  lastSignInAt: readOnly(Timestamp.nullable().default(null)),
  mfa: readOnly(Mfa.default(NO_MFA)).meta({
    description: 'the second steps of the person; `required`: your organization demands one',
    readOnly: true,
  }),
  managedBy: readOnly(z.enum(['local', 'sso', 'scim']).default('local')),
  joinedAt: readOnly(Timestamp.nullable().default(null)).meta({
    description: 'when the person accepted the invitation or was added; null: never yet',
    readOnly: true,
  }),
  directory: readOnly(Directory.nullable().default(null)).meta({
    description: 'the names in the directory of the organization, which manages the user by SCIM',
    readOnly: true,
  }),
  identities: readOnly(z.array(Identity).default([])).meta({
    description: 'how identity providers of the organization name the person, at most one for each',
    readOnly: true,
  }),
});
export type User = z.infer<typeof User>;

/** The same as it is shown: who has not accepted yet may be a stranger, of whom nothing is shown but the invitation. */
export const ShownUser = User.extend({
  personId: readOnly(Id.nullable()).meta({
    description: 'the same for the users of one person in several organizations; null until the person has accepted',
    readOnly: true,
  }),
}).meta({ id: 'User' });
export type ShownUser = z.infer<typeof ShownUser>;

export const roleOf = ({ roles }: Pick<User, 'roles'>): string => roles[0]?.roleId ?? 'viewer';

/** The part of the organization that a user sees; undefined: everything. */
export const partOf = ({ roles }: Pick<User, 'roles'>) => roles[0]?.scope;

const OWNER = 'owner';
export const isActiveOwner = (user: Pick<User, 'roles' | 'status'>): boolean =>
  user.status === 'active' && roleOf(user) === OWNER;

/** The unique value of a subject: texts of a provider may be long. */
export const identityKey = ({ providerId, issuedFor, subject }: Identity): string =>
  hashSecret(JSON.stringify([providerId, issuedFor, subject]));

export const users = defineEntity(User, {
  name: 'user',
  inPart: 'whole',
  feedFields: ['name', 'roles', 'status', 'identities'],
  dimensions: { status: USER_STATUSES },
  // the holders of each role, and the owners who can act
  tallies: (user) => [
    ...(user.status === 'deactivated' ? [] : [{ facet: 'role', value: roleOf(user) }]),
    ...(isActiveOwner(user) ? [{ facet: 'active', value: OWNER }] : []),
  ],
  indexed: (user) => ({
    role: roleOf(user),
    managedBy: user.managedBy,
    left: String(user.status === 'deactivated'),
  }),
  search: ({ name, email }) => [name, email],
  unique: ({ email, directory, identities = [] }) => ({
    email,
    userName: directory?.userName.toLowerCase(),
    externalId: directory?.externalId,
    identity: identities.map(identityKey),
  }),
});
