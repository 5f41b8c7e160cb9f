import type { TaskType } from '#shared/assets/targets/scan-target.ts';
import { branches, branchPlace } from '#shared/findings/branches/branch.ts';
import { admitRecords } from '#shared/platform/quotas/places.ts';
import type { Batch } from '#shared/platform/table/batch.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { groupChecks } from '#shared/scanning/fleet/group-counts.ts';
import { isBoundTo } from '#shared/scanning/scan-credentials/bounds.ts';
import { FITS, scanCredentials } from '#shared/scanning/scan-credentials/scan-credential.ts';
import { type CodeScan, codeScanPlace } from '#shared/scanning/scanner-tasks/code-scan.ts';
import { placementOf } from '#shared/scanning/scanner-tasks/placement.ts';
import { enqueueWrites } from '#shared/scanning/scanner-tasks/queue.ts';
import { type ScannerTask, scannerTasks } from '#shared/scanning/scanner-tasks/scanner-task.ts';
import { UNSTARTED } from '#shared/scanning/scanner-tasks/unstarted.ts';
import { integrations } from '../integrations/integration.ts';
import { type CodeBranch, fetchedRef } from '../repositories/code-branch.ts';
import type { Repository } from '../repositories/repository.ts';

type WantedScan = Pick<CodeScan, 'commit' | 'depth' | 'cause' | 'pullRequest'> & {
  repository: Repository;
  branch: CodeBranch;
  taskTypes: readonly TaskType[];
  /** The target branch of the pull request; null: the default branch. */
  base: string | null;
};

/**
 * Adds the scanner tasks of a scan to a batch, one for each type. Uses an unfinished task of the same commit instead;
 * for a pull request the task must compare with the same target branch. When two callers make the same task, one
 * commits; the other gets `conflict` and finds the task with its next attempt.
 * @returns the tasks in the order of their types
 * @throws limit_exceeded
 */
export async function addScan(table: Table, batch: Batch, wanted: WantedScan): Promise<ScannerTask[]> {
  const { scan, parameters } = await planned(table, wanted);
  const taskTypes = [...new Set(wanted.taskTypes)];
  const current = await Promise.all(
    taskTypes.map((type) => {
      const value = codeScanPlace(scan, type);
      return table.findUnique(scannerTasks, { field: 'codeScan', value }, true);
    }),
  );
  const missing = taskTypes.filter((_, n) => !current[n]);
  const made = missing.length > 0 ? await makeTasks(table, batch, { wanted, scan, parameters, types: missing }) : [];
  return taskTypes.flatMap((type, n) => {
    const known = current[n];
    return known ? forPullRequest(table, batch, { known, scan, parameters }) : made.filter((one) => one.type === type);
  });
}

type Parameters = ScannerTask['parameters'];
type Planned = { scan: CodeScan; parameters: Parameters };

/** A scan of the changes since nothing is one of all files. */
async function planned(table: Table, wanted: WantedScan): Promise<Planned> {
  const { repository, branch, commit, cause, pullRequest } = wanted;
  const isDefault = branch.name === repository.defaultBranch;
  const baseRef = wanted.base ?? (isDefault ? null : repository.defaultBranch);
  const since = wanted.depth === 'full' ? null : (baseRef ?? (await lastScanned(table, wanted)));
  const depth = since === null ? 'full' : 'changes';
  const of = { ref: fetchedRef(branch), ...(commit !== null && { commit }), ...(baseRef !== null && { baseRef }) };
  return {
    scan: {
      repositoryId: repository.id,
      branchId: branch.id,
      commit,
      depth,
      cause,
      pullRequest,
      cloneToken: await givesToken(table, repository),
    },
    parameters: { ...of, ...(since !== null && { depth, since }) },
  };
}

/** A GitHub App and a token of GitLab make tokens for one repository; a public repository needs none. */
async function givesToken(table: Table, { integrationId, visibility }: Repository): Promise<boolean> {
  if (visibility === 'public') return false;
  const integration = await table.find(integrations, integrationId);
  return integration?.access === 'app' || (integration?.kind === 'codehost_b' && integration.access === 'token');
}

async function lastScanned(table: Table, { repository, branch }: WantedScan): Promise<string | null> {
  const place = branchPlace({ assetId: repository.assetId, name: branch.name });
  const scanned = await table.findUnique(branches, { field: 'place', value: place });
  return scanned?.lastScan?.commit ?? null;
}

type Making = Planned & { wanted: WantedScan; types: readonly TaskType[] };

async function makeTasks(table: Table, batch: Batch, { wanted, scan, parameters, types }: Making) {
  const target = { type: 'repository' as const, value: wanted.repository.url, zone: null };
  const [ids, place, needed] = await Promise.all([
    table.reserve(scannerTasks, types.length),
    placementOf(table, { scannerGroupId: null, publicScannerGroupId: null, targets: [target] }),
    credentialsFor(table, wanted.branch, target),
  ]);
  const fresh = {
    ...UNSTARTED,
    target,
    zone: target.zone,
    parameters,
    codeScan: scan,
    engagementId: null,
    runId: null,
  };
  const made = types.map((type, n) =>
    batch.create(
      scannerTasks,
      table.stamp<ScannerTask>({ ...fresh, type, id: ids[n] ?? '', ...place({ type, target }), ...needed(type) }),
    ),
  );
  batch.write(...enqueueWrites(table.tenant, made), ...groupChecks(table.tenant, made));
  await admitRecords(table, batch, { kind: 'tasks', amount: made.length });
  return made;
}

/** Credentials of an organization: all of them are read to find those bound to a repository. */
const MAX_CREDENTIALS = 500;

/**
 * The logins at the code host that are bound to the repository. Other logins need an approved engagement. Logins may
 * allow more than reading, so a scanner that works on a stranger's files gets none.
 */
async function credentialsFor(
  table: Table,
  { forkPullRequest }: Pick<CodeBranch, 'forkPullRequest'>,
  target: ScannerTask['target'],
) {
  if (forkPullRequest != null) return () => ({});
  const { data } = await table.list(scanCredentials, { paginateFrom: 0, paginateSize: MAX_CREDENTIALS });
  const bound = data.filter((one) => one.kind === 'code_host' && isBoundTo(one, target));
  return (type: TaskType): Pick<ScannerTask, 'credentialIds'> => {
    const credentialIds = bound.filter(({ kind }) => FITS[kind].includes(type)).map(({ id }) => id);
    return credentialIds.length > 0 ? { credentialIds } : {};
  };
}

type Known = Planned & { known: ScannerTask };

/** The branch with which a report is compared is read from its stored task, also when a scanner has the task already. */
function forPullRequest(table: Table, batch: Batch, { known, scan, parameters }: Known): ScannerTask {
  const { pullRequest } = scan;
  if (!known.codeScan || pullRequest === null || known.codeScan.pullRequest === pullRequest) return known;
  const codeScan = { ...known.codeScan, pullRequest };
  return batch.update(scannerTasks, known, table.changed<ScannerTask, never>(known, { codeScan, parameters }));
}
