import { type Caller, isStaff } from '#shared/auth/permissions.ts';
import { findStaff } from '#shared/credentials/staff.ts';
import { assigned, type Engagement } from '#shared/entities/engagement.ts';
import { serviceAccounts } from '#shared/entities/service-account.ts';
import { invalid } from '#shared/runtime/errors.ts';
import type { Table } from '#shared/table/table.ts';

type Person = { id: string; name: string };
type Team = Pick<Engagement, 'leadId' | 'memberIds'>;

/** The person of a work entry. Staff may enter only their own work. @throws validation_failed for an unknown person */
export async function personOfEntry(at: { table: Table; caller: Caller }, team: Team, id: string): Promise<Person> {
  const { table, caller } = at;
  if (id === caller.id) return { id, name: caller.name };
  if (isStaff(caller)) throw invalid('personId', 'must be your own id: staff enter their own work');
  const account = await table.find(serviceAccounts, id);
  if (account?.revokedAt === null) return { id, name: account.name };
  const [staff] = assigned(team).includes(id) ? await findStaff(table.dynamo, [id]) : [];
  if (!staff) throw invalid('personId', `must be a service account of yours or staff of the engagement, not ${id}`);
  return { id, name: staff.name };
}
