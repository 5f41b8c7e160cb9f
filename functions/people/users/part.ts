import { applications } from '#shared/exposure/applications/application.ts';
import { partOf, type User } from '#shared/people/user.ts';
import { invalid } from '#shared/platform/runtime/errors.ts';
import type { Table } from '#shared/platform/table/table.ts';

/** @throws validation_failed for a role for an application that does not exist */
export async function assertPartExists(table: Table, user: Pick<User, 'roles'>): Promise<void> {
  const wanted = [...new Set(partOf(user)?.applicationIds)];
  const found = await table.findMany(applications, wanted);
  if (found.length < wanted.length) throw invalid('roles.0.scope.applicationIds', 'must be ids of applications');
}
