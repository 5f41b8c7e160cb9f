import type { Caller } from '#shared/auth/permissions.ts';
import { serviceAccounts } from '#shared/entities/service-account.ts';
import { invalid } from '#shared/runtime/errors.ts';
import type { Table } from '#shared/table/table.ts';

type Named = { assigneeId?: string | null | undefined; approverId?: string | null | undefined };

/**
 * The people whom a decision names; the caller approves unless it names another.
 * @throws validation_failed for an unknown one
 */
export async function peopleOf(table: Table, caller: Caller, { assigneeId, approverId }: Named) {
  const personOf = async (path: string, id: string) => {
    if (id === caller.id) return { id, name: caller.name };
    const account = await table.find(serviceAccounts, id);
    if (!account || account.revokedAt !== null)
      throw invalid(path, 'must be the id of a service account of this organization, or your own');
    return { id, name: account.name };
  };
  const [assignee, approver] = await Promise.all([
    assigneeId ? personOf('assigneeId', assigneeId) : undefined,
    personOf('approverId', approverId ?? caller.id),
  ]);
  return { assignee, approver };
}
