import { isStaffRole } from '#shared/platform/auth/permissions.ts';
import type { Dynamo } from '#shared/platform/runtime/dynamo.ts';
import type { Write } from '#shared/platform/table/io/commit.ts';
import { defineRow, putWrite, rowKey } from '#shared/platform/table/io/row.ts';
import { GLOBAL_SCOPE } from '#shared/platform/table/layout/keys.ts';
import { openTable, type Table } from '#shared/platform/table/table.ts';
import type { ServiceAccount } from './service-account.ts';

/** Staff of one deployment: a client who chooses reads them all together. */
export const MAX_STAFF = 500;

/** A member of the provider's staff as clients see them; each change of the account updates this copy. */
type StaffMember = Pick<ServiceAccount, 'id' | 'name' | 'email' | 'skills'>;
export const staffRows = defineRow<StaffMember, Pick<StaffMember, 'id'>>({
  name: 'staff',
  about: "one of the provider's people, as clients see and choose them; global key scope",
  key: ({ id }) => ['all', id],
});

/**
 * The organization of a staff account. The row stays after the account is revoked, because the engagements are listed
 * there.
 */
type StaffHome = { id: string; organizationId: string };
export const staffHomes = defineRow<StaffHome, Pick<StaffHome, 'id'>>({
  name: 'staff-home',
  about: 'the organization of a member of staff, kept after the account is revoked; global key scope',
  key: ({ id }) => [id],
});

const shared = (dynamo: Dynamo): Table => openTable(dynamo, GLOBAL_SCOPE);

/** All staff, newest first. */
export const listStaff = (dynamo: Dynamo): Promise<StaffMember[]> =>
  shared(dynamo).rows(staffRows).query('all', { backward: true });

/** The members of staff among these ids. */
export const findStaff = (dynamo: Dynamo, ids: readonly string[]): Promise<StaffMember[]> =>
  shared(dynamo)
    .rows(staffRows)
    .findMany([...new Set(ids)].map((id) => ({ id })));

/** The organization of each current or former staff id. Read consistently: assignments grant access by it. */
export async function homesOfStaff(dynamo: Dynamo, ids: readonly string[]): Promise<Map<string, string>> {
  const rows = shared(dynamo).rows(staffHomes);
  const homes = await Promise.all([...new Set(ids)].map((id) => rows.find({ id }, true)));
  return new Map(homes.flatMap((home) => (home ? [[home.id, home.organizationId]] : [])));
}

type Account = StaffMember & Pick<ServiceAccount, 'role'>;

/** The writes for the transaction that creates or changes an account. */
export function staffWrites(organizationId: string, { id, name, role, email, skills }: Account): Write[] {
  if (!isStaffRole(role)) return [];
  return [
    putWrite(GLOBAL_SCOPE, staffRows, { row: { id, name, email, skills } }),
    putWrite(GLOBAL_SCOPE, staffHomes, { row: { id, organizationId } }),
  ];
}

/** The write for the transaction that revokes an account. */
export const staffRemoval = (id: string): Write => ({ remove: rowKey(GLOBAL_SCOPE, staffRows, { id }) });
