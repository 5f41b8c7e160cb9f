import type { Caller } from '#shared/auth/permissions.ts';
import type { Wanted } from '#shared/findings/many/wanted.ts';
import { peopleOf } from '#shared/findings/people.ts';
import { assertReason } from '#shared/findings/triage.ts';
import { invalid } from '#shared/runtime/errors.ts';
import type { Table } from '#shared/table/table.ts';
import type { StoredDecision } from '#shared/vulnerabilities/change.ts';
import { assertFuture } from '#shared/vulnerabilities/decide.ts';
import { vulnerabilitySelection } from '#shared/vulnerabilities/filter.ts';
import type { VulnerabilitiesUpdate } from './routes.ts';

/** A checked decision on many vulnerabilities, with the people whom it names. @throws validation_failed */
export async function decisionOnMany(
  table: Table,
  caller: Caller,
  body: VulnerabilitiesUpdate,
): Promise<{ wanted: Wanted; decision: StoredDecision }> {
  const { assigneeId, ...changes } = body.changes;
  const wanted = wantedBy(body, caller);
  assertChanges(body);
  const { assignee = null, approver } = await peopleOf(table, caller, { assigneeId, approverId: body.approverId });
  return { wanted, decision: { changes, approver, ...(assigneeId !== undefined && { assignee }) } };
}

function wantedBy({ ids, filter }: VulnerabilitiesUpdate, caller: Caller): Wanted {
  if (ids && !filter) return { ids: [...new Set(ids)] };
  if (!filter || ids) throw invalid('ids', 'send either ids or filter, not both');
  if (Object.values(filter).every((value) => value === undefined))
    throw invalid('filter', 'must have at least one parameter, such as status; with all statuses it finds everything');
  return { selection: vulnerabilitySelection(filter, caller) };
}

/** Refuses changes that no vulnerability could take. @throws validation_failed */
function assertChanges({ changes }: VulnerabilitiesUpdate): void {
  const { status, reason, acceptedUntil } = changes;
  if (Object.keys(changes).length === 0)
    throw invalid('changes', 'must have at least one field, such as {"status": "false_positive"}');
  if (status === 'fixed')
    throw invalid('changes.status', 'is fixed when the last finding is: set the status of the findings');
  if (status === 'risk_accepted') assertReason(reason);
  assertFuture('changes.acceptedUntil', acceptedUntil);
}
