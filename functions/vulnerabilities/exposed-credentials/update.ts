import { newManyTask } from '#shared/findings/bulk/queue.ts';
import { mergePatch } from '#shared/platform/http/records.ts';
import { queueNewTask } from '#shared/platform/jobs/outbox.ts';
import { now } from '#shared/platform/runtime/clock.ts';
import { retry } from '#shared/platform/runtime/retry.ts';
import type { Context } from '#shared/platform/table/context.ts';
import { decide, isFollowed } from '#shared/vulnerabilities/exposed-credentials/decide.ts';
import {
  ExposedCredential,
  exposedCredentials,
  type StoredCredential,
} from '#shared/vulnerabilities/exposed-credentials/exposed-credential.ts';
import { credentialRecord } from '#shared/vulnerabilities/exposed-credentials/record.ts';

type Change = Context & {
  id: string;
  patch: { status?: StoredCredential['status'] | null | undefined; reason?: string | null | undefined };
  ifMatch?: string | undefined;
};

/** Repeats the change on the credential as it then is when its places moved it meanwhile. */
export const updateCredential = (change: Change): Promise<StoredCredential> => retry(() => attempt(change));

async function attempt({ table, connections, id, patch, ifMatch }: Change): Promise<StoredCredential> {
  const current = await table.get(exposedCredentials, id, true);
  const { reason, ...others } = patch;
  mergePatch(ExposedCredential, credentialRecord(current), { patch: others, ifMatch });
  const wanted = { status: patch.status ?? undefined, reason };
  const changes = decide(current, wanted, { at: now(), by: table.actor });
  if (!changes) return current;
  const after = table.changed(current, changes);
  if (isFollowed(current.decision) || isFollowed(after.decision))
    return decideWithFindings({ table, connections }, current, after);
  return table.update(exposedCredentials, current, changes);
}

/** Decides, and queues the task by which the findings follow, in one transaction. */
async function decideWithFindings(
  { table, connections }: Pick<Change, 'table' | 'connections'>,
  current: StoredCredential,
  after: StoredCredential,
): Promise<StoredCredential> {
  const { id } = current;
  const resource = { type: 'exposed_credential', id };
  const queued = newManyTask(table, { operation: 'follow_credential', input: { credentialId: id }, resource });
  let next = after;
  await queueNewTask({ connections, table }, queued, (batch) => {
    next = batch.update(exposedCredentials, current, after);
  });
  return next;
}
