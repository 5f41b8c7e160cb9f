import type { Caller } from '#shared/auth/permissions.ts';
import { type StoredVulnerability, Vulnerability, vulnerabilities } from '#shared/entities/vulnerability.ts';
import { peopleOf } from '#shared/findings/people.ts';
import { mergePatch } from '#shared/http/records.ts';
import { now } from '#shared/runtime/clock.ts';
import { retry } from '#shared/runtime/retry.ts';
import type { Table } from '#shared/table/table.ts';
import { acceptanceWrites, type Decided, decide } from '#shared/vulnerabilities/decide.ts';
import { vulnerabilityListItem } from '#shared/vulnerabilities/record.ts';

type Named = { approverId?: string | null; assigneeId?: string | null };
type Change = { table: Table; caller: Caller; id: string; patch: object & Decided & Named; ifMatch?: string };

/** Repeats the change on the vulnerability as it then is when its findings moved it meanwhile. */
export const updateVulnerability = (change: Change): Promise<StoredVulnerability> => retry(() => attempt(change));

async function attempt({ table, caller, id, patch, ifMatch }: Change): Promise<StoredVulnerability> {
  const standing = await table.get(vulnerabilities, id, true);
  const { reason, acceptedUntil, treatment, approverId, assigneeId, ...others } = patch;
  mergePatch(Vulnerability, vulnerabilityListItem(standing), { patch: others, ifMatch });
  const { assignee, approver } = await peopleOf(table, caller, { approverId, assigneeId });
  const wanted = { status: patch.status, reason, acceptedUntil, treatment };
  const changes = {
    ...decide(standing, wanted, { at: now(), approver }),
    ...(assigneeId !== undefined && { assignee }),
  };
  const batch = table.batch();
  const next = batch.update(vulnerabilities, standing, table.changed(standing, changes));
  batch.write(...acceptanceWrites(table, standing, next));
  await batch.commit();
  return next;
}
