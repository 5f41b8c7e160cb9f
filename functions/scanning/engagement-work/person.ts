import { workingAccount } from '#shared/credentials/accounts.ts';
import { findStaff } from '#shared/credentials/staff.ts';
import { analystOf } from '#shared/platform/auth/access.ts';
import { type Caller, isAllowed, isStaff } from '#shared/platform/auth/permissions.ts';
import { ApiError, invalid } from '#shared/platform/runtime/errors.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { assigned, type Engagement, peopleOf } from '#shared/scanning/engagements/engagement.ts';

type Person = { id: string; name: string };
type Team = Pick<Engagement, 'leadId' | 'memberIds'>;

/** A person of the organization who is no analyst. */
const isViewer = (caller: Caller): boolean =>
  'role' in caller && !isStaff(caller) && !isAllowed(caller, analystOf('scanning'), 'change');

/**
 * Viewers add notes to engagements that they requested or work on; all other callers of the route to any engagement.
 * @throws insufficient_scope
 */
export function assertMayNote(caller: Caller, engagement: Engagement): void {
  if (!isViewer(caller) || peopleOf(engagement).includes(caller.id)) return;
  const message =
    'A viewer adds notes to the engagements that they requested or work on; others need the role analyst.';
  throw new ApiError('insufficient_scope', message);
}

/** The person of a work entry. Staff may enter only their own work. @throws validation_failed for an unknown person */
export async function personOfEntry(at: { table: Table; caller: Caller }, team: Team, id: string): Promise<Person> {
  const { table, caller } = at;
  if (id === caller.id) return { id, name: caller.name };
  if (isStaff(caller)) throw invalid('personId', 'must be your own id: staff enter their own work');
  const account = await workingAccount(table, id);
  if (account) return { id, name: account.name };
  const [staff] = assigned(team).includes(id) ? await findStaff(table.dynamo, [id]) : [];
  if (!staff)
    throw invalid('personId', `must be a user or service account of yours, or staff of the engagement, not ${id}`);
  return { id, name: staff.name };
}
