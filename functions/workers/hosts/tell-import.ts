import * as z from 'zod';
import { openHost } from '#shared/code/code-hosts/open.ts';
import { commitPlace, commitReports } from '#shared/code/code-scans/commit-report.ts';
import { tellingGroup } from '#shared/code/code-scans/telling.ts';
import { verdictOf } from '#shared/code/code-scans/verdict.ts';
import { type Repository, repositories } from '#shared/code/repositories/repository.ts';
import { newOf } from '#shared/findings/gate/gate.ts';
import { judgedReports } from '#shared/ingest/judged.ts';
import { keptComparison } from '#shared/ingest/kept-comparison.ts';
import type { Work } from '#shared/platform/jobs/worker.ts';
import { noteCallsNotNeeded } from '#shared/platform/outgoing/record-call.ts';
import { now } from '#shared/platform/runtime/clock.ts';
import { endTelling, recordedBy, tellingIntegration } from './continue.ts';
import type { TellResult } from './results.ts';
import { MAX_FINDINGS } from './tell-scan.ts';

const Input = z.object({ repositoryId: z.uuid(), commit: z.string(), ref: z.string() });
type Input = z.infer<typeof Input>;

/** Reports to the code host what all reports on a commit found together. The next report on the commit brings it up to date. */
export async function tellImport(work: Work): Promise<TellResult | undefined> {
  const { connections, table, task } = work;
  const input = Input.parse(task.input);
  const repository = await table.get(repositories, input.repositoryId, true);
  const integration = await tellingIntegration(work, repository);
  const { scan, fresh } = await foundOn(work, repository, input);
  const { commit, ref } = input;
  const group = tellingGroup(repository.id);
  const pages = connections.settings.BASE_URL;
  const link = `${pages}/findings?${new URLSearchParams({ ref, assetId: repository.assetId })}`;
  try {
    const host = await openHost(work, integration, recordedBy(work, integration, `repository/${repository.id}`, group));
    const pullRequest = numberIn(ref) ?? (await host.pullRequestOf(repository, commit));
    const reported = { startedAt: scan.startedAt, commit, ref, pullRequest, link, pages, renews: true };
    const verdict = verdictOf(reported, scan, fresh);
    await host.tell(repository, verdict);
    await noteCallsNotNeeded(table, integration.id, task.id);
    return { state: verdict.state };
  } catch (error) {
    return endTelling({ ...work, group }, integration, error);
  }
}

/** The number in `refs/pull/7/merge`, which CI systems check out, and in the names of heads of forks. */
function numberIn(ref: string): number | undefined {
  const number = /^(?:refs\/)?(?:pull|merge-requests)\/(\d{1,9})(?:\/|$)/.exec(ref)?.[1];
  return number === undefined ? undefined : Number(number);
}

async function foundOn({ connections, table }: Work, { id, scanPolicy }: Repository, { commit }: Input) {
  const reports = await table.rows(commitReports).query(commitPlace(id, commit), { consistent: true });
  const kept = await Promise.all(reports.map(({ taskId }) => keptComparison(connections.bucket, table, taskId)));
  const found = kept.flatMap((one) => one ?? []);
  const { comparison, listed, reasons } = await judgedReports({ connections, table }, scanPolicy, found);
  const gate = scanPolicy.failOn === 'none' ? null : { passed: reasons.length === 0, reasons };
  const scan = { startedAt: `import-${commit}`, finishedAt: now(), comparison, gate };
  return { scan, fresh: await newOf(table, listed, MAX_FINDINGS) };
}
