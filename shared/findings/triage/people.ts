import type * as z from 'zod';
import { workingAccount } from '#shared/credentials/accounts.ts';
import type { Person } from '#shared/credentials/person.ts';
import { teams } from '#shared/people/team.ts';
import type { RoleArea } from '#shared/platform/auth/levels.ts';
import { type Caller, mayAcceptRisks } from '#shared/platform/auth/permissions.ts';
import { withGrants } from '#shared/platform/auth/role-grants.ts';
import { text } from '#shared/platform/http/records.ts';
import { invalid } from '#shared/platform/runtime/errors.ts';
import type { Table } from '#shared/platform/table/table.ts';

export const approverId = text(120).meta({
  description:
    'the account that approves the accepted risk, with the role analyst, admin or owner; by default your own. An API key approves ' +
    'nothing and must name an account',
});

type Named = {
  /** The area of the records; default: findings. */
  area?: RoleArea;
  assigneeId?: string | null | undefined;
  approverId?: string | null | undefined;
};

/**
 * The people that a decision names; the caller approves unless the decision names another approver. Without an
 * `approver` nobody approves, and no risk can be accepted (`approvedBy`).
 * @throws validation_failed for an unknown person
 */
export async function peopleOf(table: Table, caller: Caller, { area = 'findings', assigneeId, approverId }: Named) {
  const [assignee, approver] = await Promise.all([
    assigneeId ? personOf(table, caller, { path: 'assigneeId', id: assigneeId }) : undefined,
    approverOf(table, caller, { area, id: approverId ?? caller.id }),
  ]);
  return { assignee, approver };
}

const WHO_APPROVES =
  'must be the id of an account with the role analyst, admin or owner: an API key approves nothing. Everybody sees the own id in GET /api/v1/users/me, and the ids of all ' +
  'users in GET /api/v1/users';

type Approver = z.infer<typeof Person>;
type Approval = { area: RoleArea; id: string };

/**
 * @throws validation_failed for an account that may not approve, an unknown and an ended one, and one that sees a part of the
 * organization and does not ask itself
 */
async function approverOf(table: Table, caller: Caller, { area, id }: Approval): Promise<Approver | undefined> {
  if (id === caller.id) return mayAcceptRisks(caller, area) ? { id, name: caller.name } : undefined;
  const account = await workingAccount(table, id);
  if (!account || account.part || !mayAcceptRisks(await withGrants(table.dynamo, table.organizationId, account), area))
    throw invalid('approverId', WHO_APPROVES);
  return { id, name: account.name };
}

/**
 * The person who approves the acceptance of a risk. @throws validation_failed without an approver, for example for an
 * API key that names no account
 */
export function approvedBy<T>(approver: T | undefined): T {
  if (approver === undefined) throw invalid('approverId', WHO_APPROVES);
  return approver;
}

/** The maker of a change, who may name their own id. */
type Maker = Pick<Caller, 'id' | 'name'>;

/** The person or the team that a field names. @throws validation_failed for an unknown one */
export async function personOf(table: Table, caller: Maker, { path, id }: { path: string; id: string }) {
  const team = id === caller.id ? undefined : await table.find(teams, id, true);
  return team ? { id, name: team.name } : accountOf(table, caller, { path, id });
}

/** The person that a field names. @throws validation_failed for an unknown person, and for a team */
export async function accountOf(table: Table, caller: Maker, { path, id }: { path: string; id: string }) {
  if (id === caller.id) return { id, name: caller.name };
  const account = await workingAccount(table, id);
  if (!account)
    throw invalid(
      path,
      `must be the id of an active user or service account of this organization, or your own: ${caller.id}`,
    );
  return { id, name: account.name };
}
