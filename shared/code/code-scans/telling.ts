import { outboxWrites, sendOutbox } from '#shared/platform/jobs/outbox.ts';
import { newTask, type TaskRequest } from '#shared/platform/jobs/task.ts';
import { now } from '#shared/platform/runtime/clock.ts';
import type { Connections } from '#shared/platform/runtime/connections.ts';
import type { Batch } from '#shared/platform/table/batch.ts';
import { putWrite } from '#shared/platform/table/io/row.ts';
import type { Table } from '#shared/platform/table/table.ts';
import type { PolicyScan } from '#shared/scanning/scanner-tasks/code-scan.ts';
import { integrations } from '../integrations/integration.ts';
import type { CodeBranch } from '../repositories/code-branch.ts';
import { type Repository, repositories } from '../repositories/repository.ts';
import { commitPlace, commitReports } from './commit-report.ts';

type ScanOfBranch = {
  branch: Pick<CodeBranch, 'id'>;
  repository: Pick<Repository, 'integrationId'>;
  scan: Pick<PolicyScan, 'commit' | 'pullRequest' | 'startedAt'>;
};

/** The verdicts on a branch, or on the commits of a repository, are reported in order. */
export const tellingGroup = (id: string): string => `tell-${id}`;

/**
 * Queues, in the transaction that begins or ends a scan, a task that reports the current state of the scan to its code
 * host. Queues nothing for a host that the service may not call.
 * @returns a function that sends the message after the transaction
 */
export async function addTelling(table: Table, batch: Batch, { branch, repository, scan }: ScanOfBranch) {
  const { commit, pullRequest, startedAt } = scan;
  if (commit === null || !(await mayTell(table, repository))) return async () => undefined;
  return queueTelling(table, batch, {
    operation: 'tell_scan',
    input: { branchId: branch.id, commit, pullRequest, startedAt },
    resource: { type: 'branch', id: branch.id },
  });
}

async function mayTell(table: Table, { integrationId }: Pick<Repository, 'integrationId'>): Promise<boolean> {
  const integration = await table.find(integrations, integrationId);
  return integration?.enabled === true && integration.access !== 'none';
}

type Telling = Pick<TaskRequest, 'operation' | 'input'> & { resource: { type: 'branch' | 'repository'; id: string } };

function queueTelling(table: Table, batch: Batch, telling: Telling) {
  const task = newTask(table.actor, { ...telling, job: 'hosts', unit: 'scans' });
  const send = { group: tellingGroup(telling.resource.id) };
  batch.write(...outboxWrites(table, task, send));
  return (connections: Connections): Promise<void> => sendOutbox({ connections, table }, { task, send });
}

type Imported = { assetId: string; commit: string; ref: string; scope: string; taskId: string };

/**
 * Adds a report that somebody sent on a commit to those on the commit, and queues a task that reports them to the code host, in the
 * transaction that ends its import. Adds nothing for a repository that is not connected, or whose host the service may not call.
 * @returns a function that sends the message after the transaction
 */
export async function addImportTelling(table: Table, batch: Batch, { assetId, commit, ref, scope, taskId }: Imported) {
  const { data } = await table.list(repositories, { where: { asset: assetId }, paginateFrom: 0, paginateSize: 1 });
  const [repository] = data;
  if (!repository || !(await mayTell(table, repository))) return async () => undefined;
  const row = { place: commitPlace(repository.id, commit), scope, taskId, at: now() };
  batch.write(putWrite(table.tenant, commitReports, { row }));
  return queueTelling(table, batch, {
    operation: 'tell_import',
    input: { repositoryId: repository.id, commit, ref },
    resource: { type: 'repository', id: repository.id },
  });
}
