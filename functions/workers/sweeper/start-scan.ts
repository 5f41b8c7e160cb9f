import { scanByPolicy } from '#shared/code/code-scans/by-policy.ts';
import { nextScan, scanTimerWrites } from '#shared/code/code-scans/schedule.ts';
import { codeBranches, codeBranchPlace } from '#shared/code/repositories/code-branch.ts';
import { type Repository, repositories } from '#shared/code/repositories/repository.ts';
import { log } from '#shared/platform/runtime/log.ts';
import type { Batch } from '#shared/platform/table/batch.ts';
import type { Context } from '#shared/platform/table/context.ts';
import type { Table } from '#shared/platform/table/table.ts';
import type { Due } from './due.ts';

/** The schedule of a policy has a default branch scanned. The next timer is set in the same transaction. */
export async function startScan({ table, connections, timer, drop }: Due): Promise<void> {
  const repository = await table.find(repositories, timer.id, true);
  if (!repository?.nextScanAt || Date.parse(repository.nextScanAt) !== timer.at) return drop();
  const outcome = await scanDefault({ connections, table }, repository);
  if (outcome === 'started') return;
  log.info('scheduled scan left out', { repositoryId: repository.id, reason: outcome });
  await table.commit((batch) => reschedule(table, batch, repository));
}

async function scanDefault(context: Context, repository: Repository) {
  const { id: repositoryId, defaultBranch: name } = repository;
  const value = name === null ? undefined : codeBranchPlace({ repositoryId, name });
  const branch = value ? await context.table.findUnique(codeBranches, { field: 'place', value }, true) : undefined;
  if (!branch) return 'no push reported its default branch yet';
  const also = (batch: Batch, current: Repository) => reschedule(context.table, batch, current);
  return scanByPolicy(context, { branchId: branch.id, cause: 'schedule', pullRequest: null, also });
}

function reschedule(table: Table, batch: Batch, repository: Repository): void {
  const nextScanAt = repository.status === 'deleted' ? null : nextScan(repository);
  batch.update(repositories, repository, table.changed<Repository, never>(repository, { nextScanAt }));
  batch.write(...scanTimerWrites(table, repository, nextScanAt));
}
