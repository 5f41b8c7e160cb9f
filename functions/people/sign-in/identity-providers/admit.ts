import { isDeepStrictEqual } from 'node:util';
import { acceptInvitation } from '#shared/people/accept.ts';
import type { IdentityProvider } from '#shared/people/identity-provider.ts';
import { assertRoom } from '#shared/people/invite.ts';
import { joinOrganization } from '#shared/people/join.ts';
import { changeUser } from '#shared/people/move.ts';
import { domainOf } from '#shared/people/owner-domain.ts';
import { DEFAULT_PREFERENCES, followPreferences, preferencesIn } from '#shared/people/preferences.ts';
import { providerOf } from '#shared/people/proved-domain.ts';
import { followMemberships } from '#shared/people/team-members.ts';
import { EmailAddress, type Identity, identityKey, MAX_NAME, roleOf, type User, users } from '#shared/people/user.ts';
import { plainName } from '#shared/platform/http/records.ts';
import { retry } from '#shared/platform/runtime/retry.ts';
import type { Cause } from '#shared/platform/table/actor.ts';
import type { Context } from '#shared/platform/table/context.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { type Held, leastRole, mappedRole, mappedTeams } from './mapping.ts';
import { type AtProvider, type Claims, RefusedSignIn } from './protocol.ts';

type Admitting = { provider: IdentityProvider; issuedFor: string; person: AtProvider; cause: Cause };

/**
 * The active user whom the provider names. The subject decides; where it is new, an address that both sides have
 * verified links it to a person, or makes one.
 * @throws RefusedSignIn
 */
export const admit = (context: Context, admitting: Admitting): Promise<User> =>
  retry(async () => {
    const { provider, person } = admitting;
    const { table } = context;
    const identity = { providerId: provider.id, issuedFor: admitting.issuedFor, subject: person.subject };
    const linked = await table.findUnique(users, { field: 'identity', value: identityKey(identity) }, true);
    if (linked) await assertProved(table, provider, linked.email);
    const known = linked ?? (await userWithAddress(table, provider, person));
    const user = known
      ? await present(context, known, {
          identity,
          role: await presentRole(table, admitting, known),
          cause: admitting.cause,
        })
      : await join(table, { person, identity, role: await newRole(table, provider, person.claims) });
    await followMemberships(table, user.id, mappedTeams(provider.mapping, person.claims));
    const { zoneinfo: zone, locale } = person.claims;
    return followPreferences(table, user, preferencesIn({ zone, languages: [locale] }));
  });

/** The role that the provider gives a user, if it changes. @throws RefusedSignIn where nobody without a match signs in */
async function presentRole(table: Table, { provider, person }: Admitting, known: User) {
  const role = await mappedRole(table, provider, person.claims, known.roles[0]);
  if (role === null && roleOf(known) !== 'owner') throw noRole();
  return role ?? undefined;
}

/** The role of a new person. @throws RefusedSignIn where nobody without a match signs in */
export async function newRole(table: Table, provider: IdentityProvider, claims: Claims): Promise<Held> {
  const mapped = await mappedRole(table, provider, claims);
  const role = mapped === undefined ? await leastRole(table, provider) : mapped;
  if (role === null) throw noRole();
  return role;
}

const noRole = (): RefusedSignIn =>
  new RefusedSignIn(
    'no_role',
    'No row of the mapping gives a role to this person, and the connection has no role for others (`unmatchedRoleId`).',
  );

type Following = { identity: Identity; role: Held | undefined; cause: Cause };

/** A user who is here already, as the provider says. @throws RefusedSignIn */
async function present(context: Context, known: User, { cause, ...following }: Following): Promise<User> {
  const user = known.status === 'invited' ? await accepted(context, known, cause) : known;
  if (user.status !== 'active') throw inactive(user);
  return followed(context.table, user, following);
}

/** The user with the address of a person whose subject is new. @throws RefusedSignIn */
async function userWithAddress(
  table: Table,
  provider: IdentityProvider,
  person: AtProvider,
): Promise<User | undefined> {
  const email = await provedAddress(table, provider, person);
  return table.findUnique(users, { field: 'email', value: email }, true);
}

/** The address that the provider has verified, in a domain that is proved here. @throws RefusedSignIn */
export async function provedAddress(table: Table, provider: IdentityProvider, person: AtProvider): Promise<string> {
  const { data: email } = EmailAddress.safeParse(person.email);
  if (!email) throw new RefusedSignIn('no_email', 'The provider sends no e-mail address: add the claim `email`.');
  if (!person.emailVerified)
    throw new RefusedSignIn(
      'unverified_email',
      `The provider does not say that ${email} is verified (\`email_verified\`).`,
    );
  await assertProved(table, provider, email);
  return email;
}

async function assertProved({ dynamo, organizationId }: Table, { id }: IdentityProvider, email: string): Promise<void> {
  const proved = await providerOf(dynamo, domainOf(email));
  if (proved?.organizationId === organizationId && proved.providerId === id) return;
  throw new RefusedSignIn('unproved_domain', `The domain of ${email} is not proved for this provider.`);
}

type Joining = { person: AtProvider; identity: Identity; role: Held };

async function join(table: Table, { person, identity, role }: Joining): Promise<User> {
  await assertRoom(table).catch((error: unknown) => {
    throw new RefusedSignIn('no_room', 'The organization has no room for more users.', error);
  });
  const email = EmailAddress.parse(person.email);
  const facts = { email, name: plainName(person.name ?? '', MAX_NAME) || email, ...DEFAULT_PREFERENCES };
  const { user } = await joinOrganization(table, { ...facts, roles: [role], managedBy: 'sso', identities: [identity] });
  return user;
}

/** The sign-in of an invited person accepts the invitation. */
async function accepted({ connections, table }: Context, user: User, cause: Cause): Promise<User> {
  await acceptInvitation({ connections, cause }, { personId: user.personId, userId: user.id }, {});
  return table.get(users, user.id, true);
}

const inactive = ({ status }: User): RefusedSignIn =>
  new RefusedSignIn('user_inactive', `The user is ${status}: an administrator can activate the user.`);

/** The user with the subject and with the role of the mapping; owners keep their role. */
async function followed(table: Table, user: User, { identity, role }: Omit<Following, 'cause'>): Promise<User> {
  const { identities = [] } = user;
  const before = identities.find(({ providerId }) => providerId === identity.providerId);
  if (before && before.issuedFor === identity.issuedFor && before.subject !== identity.subject)
    throw new RefusedSignIn('another_subject', 'The provider names another person with the address of this user.');
  const isLinked = before !== undefined && identityKey(before) === identityKey(identity);
  const others = identities.filter(({ providerId }) => providerId !== identity.providerId);
  const moves = role !== undefined && !isDeepStrictEqual(role, user.roles[0]) && roleOf(user) !== 'owner';
  const changes = {
    ...(!isLinked && { identities: [...others, identity] }),
    ...(moves && { roles: [role] }),
  };
  return Object.keys(changes).length === 0 ? user : changeUser(table, user, changes);
}
