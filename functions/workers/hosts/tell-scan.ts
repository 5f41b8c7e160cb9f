import * as z from 'zod';
import { openHost } from '#shared/code/code-hosts/open.ts';
import { tellingGroup } from '#shared/code/code-scans/telling.ts';
import { verdictOf } from '#shared/code/code-scans/verdict.ts';
import { integrations } from '#shared/code/integrations/integration.ts';
import { codeBranches, fetchedRef } from '#shared/code/repositories/code-branch.ts';
import { repositories } from '#shared/code/repositories/repository.ts';
import type { StoredFinding } from '#shared/findings/finding/finding.ts';
import { newOf } from '#shared/findings/gate/gate.ts';
import { keptComparison } from '#shared/ingest/kept-comparison.ts';
import { TaskFailure, type Work } from '#shared/platform/jobs/worker.ts';
import { HostError } from '#shared/platform/outgoing/host-error.ts';
import type { PolicyScan } from '#shared/scanning/scanner-tasks/code-scan.ts';
import { scannerTasks } from '#shared/scanning/scanner-tasks/scanner-task.ts';
import { waitOrFail } from './continue.ts';
import type { TellResult } from './results.ts';

const Input = z.object({
  branchId: z.uuid(),
  commit: z.string(),
  pullRequest: z.int().nullable(),
  startedAt: z.string(),
});

/** Reports the current state of a scan to the code host. A repetition is harmless. */
export async function tellScan(work: Work): Promise<TellResult | undefined> {
  const { connections, table, task } = work;
  const { branchId, ...announced } = Input.parse(task.input);
  const branch = await table.get(codeBranches, branchId, true);
  const repository = await table.get(repositories, branch.repositoryId);
  const integration = await table.find(integrations, repository.integrationId, true);
  if (!integration?.enabled) throw new TaskFailure('conflict', 'The integration was deleted or turned off.');
  const link = `${connections.settings.BASE_URL}/api/v1/software/${branch.vendor}/branches/${branchId}`;
  const scan = branch.policyScan ?? undefined;
  const fresh = scan?.startedAt === announced.startedAt ? await newFindings(work, scan) : [];
  const verdict = verdictOf({ ...announced, ref: fetchedRef(branch), link }, scan, fresh);
  try {
    await (await openHost({ connections, table }, integration)).tell(repository, verdict);
    return { state: verdict.state };
  } catch (error) {
    // a token that may only read is no fault of the integration
    const mayNot = error instanceof HostError && ['not_allowed', 'not_found', 'unexpected_answer'].includes(error.code);
    if (mayNot) throw new TaskFailure(error.code, error.message);
    return waitOrFail({ ...work, group: tellingGroup(branchId) }, integration, error);
  }
}

/** One check shows at most this many. */
const MAX_FINDINGS = 50;

async function newFindings({ connections, table }: Work, scan: PolicyScan): Promise<StoredFinding[]> {
  if (scan.finishedAt === null) return [];
  const tasks = await table.findMany(scannerTasks, scan.taskIds);
  const reports = tasks.flatMap(({ ingestTaskIds }) => ingestTaskIds);
  const kept = await Promise.all(reports.map((id) => keptComparison(connections.bucket, table, id)));
  return newOf(
    table,
    kept.flatMap((one) => one?.listed ?? []),
    MAX_FINDINGS,
  );
}
