import * as z from 'zod';
import type { Caller } from '../auth/permissions.ts';
import { serviceAccounts } from '../entities/service-account.ts';
import { invalid } from '../runtime/errors.ts';
import type { Table } from '../table/table.ts';

export const approverId = z.string().min(1).max(120).meta({
  description: 'who approves that a risk is accepted: a service account, or yourself, which is the default',
});

type Named = { assigneeId?: string | null | undefined; approverId?: string | null | undefined };

/**
 * The people whom a decision names; the caller approves unless it names another.
 * @throws validation_failed for an unknown one
 */
export async function peopleOf(table: Table, caller: Caller, { assigneeId, approverId }: Named) {
  const [assignee, approver] = await Promise.all([
    assigneeId ? personOf(table, caller, { path: 'assigneeId', id: assigneeId }) : undefined,
    personOf(table, caller, { path: 'approverId', id: approverId ?? caller.id }),
  ]);
  return { assignee, approver };
}

/** The person whom a field names. @throws validation_failed for an unknown one */
export async function personOf(table: Table, caller: Caller, { path, id }: { path: string; id: string }) {
  if (id === caller.id) return { id, name: caller.name };
  const account = await table.find(serviceAccounts, id);
  if (!account || account.revokedAt !== null)
    throw invalid(path, `must be the id of a service account of this organization, or your own: ${caller.id}`);
  return { id, name: account.name };
}
