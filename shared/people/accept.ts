import { now } from '#shared/platform/runtime/clock.ts';
import type { Connections } from '#shared/platform/runtime/connections.ts';
import { retry } from '#shared/platform/runtime/retry.ts';
import type { Cause } from '#shared/platform/table/actor.ts';
import { openTable } from '#shared/platform/table/table.ts';
import { accessWrites } from './access.ts';
import { findPerson, type Person, personWrites } from './person.ts';
import type { TicketData } from './ticket.ts';
import { type User, users } from './user.ts';

type World = { connections: Connections; cause: Cause };
type About = Partial<Pick<Person, 'name' | 'timeZone' | 'locale'>>;

/**
 * Makes an invited user active, in the name of the person. A person who is new takes the facts that they give now.
 * @returns undefined for a user who is no longer invited
 */
export const acceptInvitation = (
  { connections: { dynamo }, cause }: World,
  { personId, userId }: TicketData<'invitation'>,
  about: About,
): Promise<Person | undefined> =>
  retry(async () => {
    const person = await findPerson(dynamo, personId);
    const organizationId = person?.memberships.find((one) => one.userId === userId)?.organizationId;
    if (!person || organizationId === undefined) return undefined;
    const user = await openTable(dynamo, organizationId).find(users, userId, true);
    if (user?.status !== 'invited') return undefined;
    const isNew = person.verifiedAt === null;
    const facts = isNew ? { ...factsOf(user), ...about } : factsOf(person);
    const table = openTable(dynamo, organizationId, { kind: 'user', id: user.id, name: facts.name, cause });
    const next = table.changed<User, never>(user, { ...facts, status: 'active', joinedAt: now() });
    const batch = table.batch();
    batch.update(users, user, next);
    batch.write(...accessWrites(organizationId, user, next));
    const changes = isNew ? { ...facts, verifiedAt: now() } : {};
    batch.write(...personWrites(person, changes));
    await batch.commit();
    return { ...person, ...changes };
  });

const factsOf = ({ name, timeZone, locale }: Pick<Person, 'name' | 'timeZone' | 'locale'>) => ({
  name,
  timeZone,
  locale,
});
