import { organizations } from '#shared/credentials/organization.ts';
import { accessWrites } from '#shared/people/access.ts';
import { findPerson, type Membership, type Person, personWrites } from '#shared/people/person.ts';
import { chosenByPerson } from '#shared/people/preferences.ts';
import { endSessions, type Session, sessionsOf } from '#shared/people/session.ts';
import { teamsOf } from '#shared/people/team.ts';
import { type User, users } from '#shared/people/user.ts';
import { forgetCredential, readCredential } from '#shared/platform/auth/credential.ts';
import type { Caller } from '#shared/platform/auth/permissions.ts';
import { pageOfArray } from '#shared/platform/http/pagination.ts';
import type { Handlers } from '#shared/platform/http/route.ts';
import { ApiError, notFound } from '#shared/platform/runtime/errors.ts';
import { given } from '#shared/platform/runtime/given.ts';
import { retry } from '#shared/platform/runtime/retry.ts';
import { commit } from '#shared/platform/table/io/commit.ts';
import { GLOBAL_SCOPE } from '#shared/platform/table/layout/keys.ts';
import { inOrganization, type Table } from '#shared/platform/table/table.ts';
import { identitiesOf, unlinkIdentity } from './identities.ts';
import type { meRoutes } from './me-routes.ts';

export const meHandlers: Handlers<typeof meRoutes> = {
  getMe: async ({ table, caller }) => showMe(table, await meOf(table, caller)),

  async updateMe({ table, caller, body }) {
    const me = await meOf(table, caller);
    const person = await changePerson(table, me.person, given(body));
    for (const membership of person.memberships) await changeUserOf(table, membership, person);
    return showMe(table, await meOf(table, caller));
  },

  unlinkMyIdentity: ({ table, caller, params }) =>
    unlinkIdentity(table, { id: caller.id, providerId: params.providerId }),

  async listMySessions({ table, caller, query }) {
    const { person } = await meOf(table, caller);
    const sessions = await sessionsOf(table.dynamo, person.id);
    return pageOfArray(
      sessions.map((session) => showSession(session, caller)),
      query,
    );
  },

  async endMySessions({ table, caller }) {
    const { person } = await meOf(table, caller);
    const sessions = await sessionsOf(table.dynamo, person.id);
    await endSessions(table.dynamo, sessions);
    return { ended: sessions.length };
  },

  async endMySession({ table, caller, params }) {
    const { person } = await meOf(table, caller);
    const wanted = params.id === 'current' && caller.kind === 'user' ? caller.session : params.id;
    const session = (await sessionsOf(table.dynamo, person.id)).find(({ id }) => id === wanted);
    if (!session) throw notFound('session', params.id);
    await endSessions(table.dynamo, [session]);
    return { ended: 1 };
  },
};

type Self = { user: User; person: Person };

/** The route admits people only; a person whom a deletion has just forgotten is gone. @throws unauthorized */
export async function meOf(table: Table, caller: Caller): Promise<Self> {
  const user = await table.find(users, caller.id, true);
  const person = user && (await findPerson(table.dynamo, user.personId));
  if (user && person) return { user, person };
  throw new ApiError('unauthorized', 'This user is no longer there. Sign in again.');
}

const showSession = ({ id, device, remoteAddress, createdAt, lastUsedAt }: Session, caller: Caller) => {
  const current = caller.kind === 'user' && caller.session === id;
  return { id, device, remoteAddress, createdAt, lastUsedAt, current };
};

async function showMe(table: Table, { user, person }: Self) {
  const { email, name, timeZone, locale, memberships } = person;
  const known = await inOrganization(table, GLOBAL_SCOPE).findMany(
    organizations,
    memberships.map(({ organizationId }) => organizationId),
  );
  const names = new Map(known.map((organization) => [organization.id, organization.name]));
  const own = memberships.filter(({ organizationId }) => names.has(organizationId));
  const opened = await Promise.all(
    own.map(async ({ organizationId, userId }) => ({
      id: organizationId,
      name: names.get(organizationId) ?? '',
      userId,
      active: (await readCredential(table.dynamo, { organizationId, id: userId })) !== undefined,
    })),
  );
  const [teamIds, linked] = await Promise.all([teamsOf(table, user), identitiesOf(table, user)]);
  const about = {
    id: user.id,
    personId: person.id,
    email,
    name,
    timeZone,
    locale,
    roles: user.roles,
    teamIds,
    identities: linked,
  };
  return { ...about, activeOrganizationId: table.organizationId, organizations: opened };
}

type OwnFacts = Partial<Pick<Person, 'name' | 'timeZone' | 'locale'>>;

const changePerson = (table: Table, { id }: Person, changes: OwnFacts): Promise<Person> =>
  retry(async () => {
    const person = await findPerson(table.dynamo, id);
    if (!person) throw notFound('person', id);
    const next = { ...changes, ...chosenByPerson(person, changes) };
    await commit(table.dynamo, personWrites(person, next), new Map());
    return { ...person, ...next };
  });

/** The user follows the person. A user who has not accepted yet keeps the facts of the invitation. */
async function changeUserOf(table: Table, { organizationId, userId }: Membership, person: Person): Promise<void> {
  const theirs = inOrganization(table, organizationId);
  await retry(async () => {
    const user = await theirs.find(users, userId, true);
    if (!user || user.status === 'invited') return;
    const { name, timeZone, locale } = person;
    await theirs.update(users, user, { name, timeZone, locale }, (batch, next) =>
      batch.write(...accessWrites(organizationId, user, next)),
    );
  });
  forgetCredential(table.dynamo, { organizationId, id: userId });
}
