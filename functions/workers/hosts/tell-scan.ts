import * as z from 'zod';
import { openHost } from '#shared/code/code-hosts/open.ts';
import { tellingGroup } from '#shared/code/code-scans/telling.ts';
import { verdictOf } from '#shared/code/code-scans/verdict.ts';
import { codeBranches, fetchedRef } from '#shared/code/repositories/code-branch.ts';
import { repositories } from '#shared/code/repositories/repository.ts';
import type { StoredFinding } from '#shared/findings/finding/finding.ts';
import { newOf } from '#shared/findings/gate/gate.ts';
import { keptComparison } from '#shared/ingest/kept-comparison.ts';
import type { Work } from '#shared/platform/jobs/worker.ts';
import { noteCallsNotNeeded } from '#shared/platform/outgoing/record-call.ts';
import type { PolicyScan } from '#shared/scanning/scanner-tasks/code-scan.ts';
import { scannerTasks } from '#shared/scanning/scanner-tasks/scanner-task.ts';
import { endTelling, recordedBy, tellingIntegration } from './continue.ts';
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
  const integration = await tellingIntegration(work, repository);
  const link = `${connections.settings.BASE_URL}/api/v1/software/${branch.vendor}/branches/${branchId}`;
  const scan = branch.policyScan ?? undefined;
  const fresh = scan?.startedAt === announced.startedAt ? await newFindings(work, scan) : [];
  const pages = connections.settings.BASE_URL;
  const reported = { ...announced, ref: fetchedRef(branch), link, pages, renews: false };
  const verdict = verdictOf(reported, scan, fresh);
  const group = tellingGroup(branchId);
  try {
    const host = await openHost(work, integration, recordedBy(work, integration, `code-branch/${branchId}`, group));
    await host.tell(repository, verdict);
    await noteCallsNotNeeded(table, integration.id, task.id);
    return { state: verdict.state };
  } catch (error) {
    return endTelling({ ...work, group }, integration, error);
  }
}

/** One check shows at most this many. */
export const MAX_FINDINGS = 50;

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
