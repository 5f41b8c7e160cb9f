import { now } from '#shared/platform/runtime/clock.ts';
import { Overtaken } from '#shared/platform/runtime/errors.ts';
import { retry } from '#shared/platform/runtime/retry.ts';
import type { Batch } from '#shared/platform/table/batch.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { accessWrites } from './access.ts';
import { newPerson, type Person, personWithAddress, personWrites, withMembership } from './person.ts';
import { NO_MFA, type User, users } from './user.ts';

type Joining = Pick<User, 'email' | 'name' | 'timeZone' | 'locale' | 'roles' | 'managedBy'> &
  Partial<Pick<User, 'directory' | 'identities'>> & { isNew?: true };

/**
 * Makes an active user of a person whose address is proven otherwise than by a letter of ours: the owner of a new
 * organization, or a person whom an identity provider vouches for. A person who is known keeps their name.
 * With `isNew` the person is made too: Overtaken, where somebody else made the person before.
 * @param also writes for the same transaction
 * @throws conflict for an address that a user of the organization has
 */
export const joinOrganization = (
  table: Table,
  { isNew, directory = null, identities = [], ...joining }: Joining,
  also: (batch: Batch, user: User) => void = () => undefined,
): Promise<{ user: User; person: Person }> =>
  retry(async () => {
    const known = await personWithAddress(table.dynamo, joining.email);
    if (known && isNew) throw new Overtaken();
    const person = known ?? newPerson(joining);
    const facts = known?.verifiedAt ? { name: known.name, timeZone: known.timeZone, locale: known.locale } : {};
    const [id = ''] = await table.reserve(users, 1);
    const about = { id, personId: person.id, directory, identities, joinedAt: now(), lastSignInAt: null, mfa: NO_MFA };
    const draft = { ...joining, ...facts, ...about, status: 'active' } as const;
    const batch = table.batch();
    const user = batch.create(users, table.stamp<User>(draft));
    batch.write(...accessWrites(table.organizationId, { ...user, status: 'invited' }, user));
    const changes = { ...withMembership(person, table.organizationId, id), verifiedAt: person.verifiedAt ?? now() };
    batch.write(...personWrites(person, changes));
    also(batch, user);
    await batch.commit();
    return { user, person: { ...person, ...changes } };
  });
