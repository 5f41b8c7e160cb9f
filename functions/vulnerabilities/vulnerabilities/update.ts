import { peopleOf } from '#shared/findings/triage/people.ts';
import type { Caller } from '#shared/platform/auth/permissions.ts';
import { mergePatch } from '#shared/platform/http/records.ts';
import { retry } from '#shared/platform/runtime/retry.ts';
import type { Context } from '#shared/platform/table/context.ts';
import { decidedChanges, type StoredDecision } from '#shared/vulnerabilities/vulnerability/change.ts';
import { vulnerabilityListItem } from '#shared/vulnerabilities/vulnerability/record.ts';
import { saveDecision } from '#shared/vulnerabilities/vulnerability/save-decision.ts';
import {
  type StoredVulnerability,
  Vulnerability,
  vulnerabilities,
} from '#shared/vulnerabilities/vulnerability/vulnerability.ts';

type Named = { approverId?: string | null; assigneeId?: string | null };
type Patch = object & StoredDecision['changes'] & Named;
type Change = Context & {
  caller: Caller;
  id: string;
  patch: Omit<Patch, 'status'> & { status?: StoredVulnerability['status'] | null };
  ifMatch?: string;
};

/** Repeats the change on the vulnerability as it then is when its findings moved it meanwhile. */
export const updateVulnerability = (change: Change): Promise<StoredVulnerability> => retry(() => attempt(change));

/** Decides, and queues the task by which the findings follow, in one transaction. */
async function attempt({ table, connections, caller, id, patch, ifMatch }: Change): Promise<StoredVulnerability> {
  const current = await table.get(vulnerabilities, id, true);
  const { reason, acceptedUntil, treatment, restartSla, approverId, assigneeId, ...others } = patch;
  mergePatch(Vulnerability, vulnerabilityListItem(current), { patch: others, ifMatch });
  const { assignee = null, approver } = await peopleOf(table, caller, {
    area: 'vulnerabilities',
    approverId,
    assigneeId,
  });
  const wanted = { status: patch.status ?? undefined, reason, acceptedUntil, treatment, restartSla };
  const changes = decidedChanges(current, {
    changes: wanted,
    approver,
    ...(assigneeId !== undefined && { assignee }),
  });
  if (!changes) return current;
  return saveDecision({ connections, table }, current, changes);
}
