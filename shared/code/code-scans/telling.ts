import { outboxWrites, sendOutbox } from '#shared/platform/jobs/outbox.ts';
import { newTask } from '#shared/platform/jobs/task.ts';
import type { Connections } from '#shared/platform/runtime/connections.ts';
import type { Batch } from '#shared/platform/table/batch.ts';
import type { Table } from '#shared/platform/table/table.ts';
import type { PolicyScan } from '#shared/scanning/scanner-tasks/code-scan.ts';
import { integrations } from '../integrations/integration.ts';
import type { CodeBranch } from '../repositories/code-branch.ts';
import type { Repository } from '../repositories/repository.ts';

type ScanOfBranch = {
  branch: Pick<CodeBranch, 'id'>;
  repository: Pick<Repository, 'integrationId'>;
  scan: Pick<PolicyScan, 'commit' | 'pullRequest' | 'startedAt'>;
};

/** The verdicts on the scans of a branch are reported in order. */
export const tellingGroup = (branchId: string): string => `tell-${branchId}`;

/**
 * Queues, in the transaction that begins or ends a scan, a task that reports the current state of the scan to its code
 * host. Queues nothing for a host that the service may not call.
 * @returns a function that sends the message after the transaction
 */
export async function addTelling(table: Table, batch: Batch, { branch, repository, scan }: ScanOfBranch) {
  const { commit, pullRequest, startedAt } = scan;
  const integration = await table.find(integrations, repository.integrationId);
  if (!integration?.enabled || integration.access === 'none' || commit === null) return async () => undefined;
  const task = newTask(table.actor, {
    operation: 'tell_scan',
    job: 'hosts',
    unit: 'scans',
    input: { branchId: branch.id, commit, pullRequest, startedAt },
    resource: { type: 'branch', id: branch.id },
  });
  const send = { group: tellingGroup(branch.id) };
  batch.write(...outboxWrites(table, task, send));
  return (connections: Connections): Promise<void> => sendOutbox({ connections, table }, { task, send });
}
