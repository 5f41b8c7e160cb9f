import type { ServiceAccount } from '../entities/service-account.ts';
import type { Dynamo } from '../runtime/dynamo.ts';
import type { Write } from '../table/io/commit.ts';
import { defineRow, putWrite, rowKey } from '../table/io/row.ts';
import { GLOBAL_SCOPE } from '../table/layout/keys.ts';
import { openTable, type Table } from '../table/table.ts';

/** Of one deployment: all of them are read together where a client chooses. */
export const MAX_STAFF = 500;

/** One of the provider's people as clients know them; the account is copied here with each change. */
type StaffMember = Pick<ServiceAccount, 'id' | 'name' | 'email' | 'skills'>;
export const staffRows = defineRow<StaffMember, Pick<StaffMember, 'id'>>({
  name: 'staff',
  about: "one of the provider's people, as clients see and choose them; global scope",
  key: ({ id }) => ['all', id],
});

/** Whose account it is. It stays when somebody leaves, for their engagements are listed there. */
type StaffHome = { id: string; organizationId: string };
export const staffHomes = defineRow<StaffHome, Pick<StaffHome, 'id'>>({
  name: 'staff-home',
  about: 'the organization of a member of staff, kept after the account is revoked; global scope',
  key: ({ id }) => [id],
});

const shared = (dynamo: Dynamo): Table => openTable(dynamo, GLOBAL_SCOPE);

/** The newest first. */
export const listStaff = (dynamo: Dynamo): Promise<StaffMember[]> =>
  shared(dynamo).rows(staffRows).query('all', { backward: true });

/** Those of these ids who are staff now. */
export const findStaff = (dynamo: Dynamo, ids: readonly string[]): Promise<StaffMember[]> =>
  shared(dynamo)
    .rows(staffRows)
    .findMany([...new Set(ids)].map((id) => ({ id })));

/** The organizations of those of these ids who are staff, or were. Read consistently: access is written by it. */
export async function homesOfStaff(dynamo: Dynamo, ids: readonly string[]): Promise<Map<string, string>> {
  const rows = shared(dynamo).rows(staffHomes);
  const homes = await Promise.all([...new Set(ids)].map((id) => rows.find({ id }, true)));
  return new Map(homes.flatMap((home) => (home ? [[home.id, home.organizationId]] : [])));
}

type Account = StaffMember & Pick<ServiceAccount, 'role'>;

/** For the transaction that makes or changes an account. */
export function staffWrites(organizationId: string, { id, name, role, email, skills }: Account): Write[] {
  if (role !== 'staff') return [];
  return [
    putWrite(GLOBAL_SCOPE, staffRows, { row: { id, name, email, skills } }),
    putWrite(GLOBAL_SCOPE, staffHomes, { row: { id, organizationId } }),
  ];
}

/** For the transaction that revokes an account. */
export const staffRemoval = (id: string): Write => ({ remove: rowKey(GLOBAL_SCOPE, staffRows, { id }) });
