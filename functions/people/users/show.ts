import { personRows } from '#shared/people/person.ts';
import { mfaOf } from '#shared/people/second-step.ts';
import { requiresStep } from '#shared/people/sign-in.ts';
import { NO_MFA, type ShownUser, type User } from '#shared/people/user.ts';
import { credentials } from '#shared/platform/auth/credential.ts';
import { GLOBAL_SCOPE } from '#shared/platform/table/layout/keys.ts';
import { inOrganization, type Table } from '#shared/platform/table/table.ts';

/**
 * Users with their last sign-in, which is in the credential, and their second steps, which are the person's. Of somebody who has not
 * accepted nothing of the person is shown: nobody learns whether the service knows an address that they invite.
 */
export async function showUsers(table: Table, found: readonly User[]): Promise<ShownUser[]> {
  const joined = found.filter(hasJoined);
  const [rows, persons, required] = await Promise.all([
    table.rows(credentials).findMany(found.map(({ id }) => ({ id }))),
    inOrganization(table, GLOBAL_SCOPE)
      .rows(personRows)
      .findMany(joined.map(({ personId }) => ({ id: personId }))),
    requiresStep(table.dynamo, table.organizationId),
  ]);
  const used = new Map(rows.map(({ id, lastUsedAt }) => [id, lastUsedAt]));
  const steps = new Map(persons.map((person) => [person.id, mfaOf(person)]));
  return found.map((user) => ({
    ...user,
    personId: hasJoined(user) ? user.personId : null,
    lastSignInAt: used.get(user.id) ?? user.lastSignInAt,
    mfa: { ...NO_MFA, ...(hasJoined(user) && steps.get(user.personId)), required },
  }));
}

const hasJoined = ({ joinedAt, status }: User): boolean => joinedAt !== null || status === 'active';

export async function showUser(table: Table, user: User): Promise<ShownUser> {
  const [shown] = await showUsers(table, [user]);
  if (!shown) throw new Error(`the user ${user.id} is not shown`);
  return shown;
}
