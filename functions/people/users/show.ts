import { personRows } from '#shared/people/person.ts';
import { mfaOf } from '#shared/people/second-step.ts';
import { requiresStep } from '#shared/people/sign-in.ts';
import { NO_MFA, type User } from '#shared/people/user.ts';
import { credentials } from '#shared/platform/auth/credential.ts';
import { GLOBAL_SCOPE } from '#shared/platform/table/layout/keys.ts';
import { inOrganization, type Table } from '#shared/platform/table/table.ts';

/** Users with their last sign-in, which is in the credential, and their second steps, which are the person's. */
export async function showUsers(table: Table, found: readonly User[]): Promise<User[]> {
  const [rows, persons, required] = await Promise.all([
    table.rows(credentials).findMany(found.map(({ id }) => ({ id }))),
    inOrganization(table, GLOBAL_SCOPE)
      .rows(personRows)
      .findMany(found.map(({ personId }) => ({ id: personId }))),
    requiresStep(table.dynamo, table.organizationId),
  ]);
  const used = new Map(rows.map(({ id, lastUsedAt }) => [id, lastUsedAt]));
  const steps = new Map(persons.map((person) => [person.id, mfaOf(person)]));
  return found.map((user) => ({
    ...user,
    lastSignInAt: used.get(user.id) ?? user.lastSignInAt,
    mfa: { ...NO_MFA, ...steps.get(user.personId), required },
  }));
}

export async function showUser(table: Table, user: User): Promise<User> {
  const [shown] = await showUsers(table, [user]);
  return shown ?? user;
}
