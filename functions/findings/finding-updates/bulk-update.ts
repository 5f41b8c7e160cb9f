import type { StoredBulk } from '#shared/findings/bulk/findings.ts';
import type { Wanted } from '#shared/findings/bulk/wanted.ts';
import { findingSelection } from '#shared/findings/finding/filter.ts';
import { findingFilter } from '#shared/findings/finding/filter-fields.ts';
import { approvedBy, peopleOf } from '#shared/findings/triage/people.ts';
import { assertRemediation } from '#shared/findings/triage/remediations.ts';
import { assertReason } from '#shared/findings/triage/triage.ts';
import type { Caller } from '#shared/platform/auth/permissions.ts';
import { bodyMatching } from '#shared/platform/filter/read.ts';
import { wantedBy } from '#shared/platform/http/many.ts';
import { now } from '#shared/platform/runtime/clock.ts';
import { invalid } from '#shared/platform/runtime/errors.ts';
import type { Table } from '#shared/platform/table/table.ts';
import type { FindingsUpdate } from './routes.ts';

/** A checked change of many findings, with the people that it names. @throws validation_failed */
export async function bulkUpdate(
  table: Table,
  caller: Caller,
  body: FindingsUpdate,
): Promise<{ wanted: Wanted; bulk: StoredBulk }> {
  const { changes, reason, approverId } = body;
  const asked = await bodyMatching({ table, caller }, findingFilter, body);
  const wanted = wantedBy(asked, (filter) => findingSelection(filter, caller));
  assertChanges(body);
  if (changes.addRemediationId) await assertRemediation(table, changes.addRemediationId, 'changes.addRemediationId');
  const people = await peopleOf(table, caller, { assigneeId: changes.assigneeId, approverId });
  if (changes.status === 'risk_accepted' || changes.acceptedUntil) approvedBy(people.approver);
  return { wanted, bulk: { changes, reason, ...people } };
}

/** Refuses changes that no finding can have. @throws validation_failed */
function assertChanges({ changes, reason }: FindingsUpdate): void {
  const { status, statusReason, acceptedUntil, tags, addTags, removeTags } = changes;
  if (Object.keys(changes).length === 0)
    throw invalid('changes', 'must have at least one field, such as {"status": "false_positive"}');
  if (tags && (addTags || removeTags)) throw invalid('changes.tags', 'send either tags, or addTags and removeTags');
  if (status === 'risk_accepted') assertReason(statusReason ?? reason);
  if (acceptedUntil && acceptedUntil <= now()) throw invalid('changes.acceptedUntil', 'must be a time in the future');
}
