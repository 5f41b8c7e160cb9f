import type { Caller } from '#shared/auth/permissions.ts';
import { type StoredVulnerability, Vulnerability, vulnerabilities } from '#shared/entities/vulnerability.ts';
import { peopleOf } from '#shared/findings/people.ts';
import { mergePatch } from '#shared/http/records.ts';
import type { Connections } from '#shared/runtime/connections.ts';
import { retry } from '#shared/runtime/retry.ts';
import type { Table } from '#shared/table/table.ts';
import { decidedChanges, type StoredDecision } from '#shared/vulnerabilities/change.ts';
import { vulnerabilityListItem } from '#shared/vulnerabilities/record.ts';
import { saveDecision } from '#shared/vulnerabilities/save-decision.ts';

type Named = { approverId?: string | null; assigneeId?: string | null };
type Patch = object & StoredDecision['changes'] & Named;
type Change = {
  table: Table;
  connections: Connections;
  caller: Caller;
  id: string;
  patch: Omit<Patch, 'status'> & { status?: StoredVulnerability['status'] | null };
  ifMatch?: string;
};

/** Repeats the change on the vulnerability as it then is when its findings moved it meanwhile. */
export const updateVulnerability = (change: Change): Promise<StoredVulnerability> => retry(() => attempt(change));

/** Decides, and queues the task by which the findings follow, in one transaction. */
async function attempt({ table, connections, caller, id, patch, ifMatch }: Change): Promise<StoredVulnerability> {
  const standing = await table.get(vulnerabilities, id, true);
  const { reason, acceptedUntil, treatment, restartSla, approverId, assigneeId, ...others } = patch;
  mergePatch(Vulnerability, vulnerabilityListItem(standing), { patch: others, ifMatch });
  const { assignee = null, approver } = await peopleOf(table, caller, { approverId, assigneeId });
  const wanted = { status: patch.status ?? undefined, reason, acceptedUntil, treatment, restartSla };
  const changes = decidedChanges(standing, {
    ...{ changes: wanted, approver },
    ...(assigneeId !== undefined && { assignee }),
  });
  if (!changes) return standing;
  return saveDecision({ connections, table }, standing, changes);
}
