import { checkTarget } from '#shared/assets/targets/canonical.ts';
import { isPublicTarget, NOT_PUBLIC_PROBLEM } from '#shared/assets/targets/public.ts';
import { scanProblem } from '#shared/code/code-scans/may-scan.ts';
import { codeBranches } from '#shared/code/repositories/code-branch.ts';
import { repositories } from '#shared/code/repositories/repository.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { engagements } from '#shared/scanning/engagements/engagement.ts';
import type { Failure } from '#shared/scanning/leases/rules.ts';
import { engagementIdsOf, type ScannerTask } from '#shared/scanning/scanner-tasks/scanner-task.ts';
import { exploitingParameters } from '#shared/scanning/scanners/scan-parameters.ts';

const NOT_ALLOWED = 'not_allowed';

/** By task, why the current rules refuse it: an older release may have queued it. */
export async function refusedTasks(owner: Table, tasks: readonly ScannerTask[]): Promise<Map<string, Failure>> {
  const [exploiting, gone] = await Promise.all([withoutPermission(owner, tasks), goneBranches(owner, tasks)]);
  return new Map(
    tasks.flatMap((task) => {
      const problem = targetProblem(task) ?? exploiting.get(task.id) ?? gone.get(task.codeScan?.branchId);
      return problem === undefined ? [] : [[task.id, { code: NOT_ALLOWED, message: problem }] as const];
    }),
  );
}

function targetProblem({ target, publicScannerGroupId }: ScannerTask): string | undefined {
  const spelled = checkTarget(target);
  const problem = 'problem' in spelled ? spelled.problem : undefined;
  const isNear = publicScannerGroupId && !isPublicTarget(target);
  const refused = problem ?? (isNear ? NOT_PUBLIC_PROBLEM : undefined);
  return refused && `The target ${target.value} ${refused}.`;
}

/**
 * Reads engagements only for tasks with parameters that need a permission; the service itself wrote the parameters of
 * other tasks.
 */
async function withoutPermission(owner: Table, tasks: readonly ScannerTask[]): Promise<Map<string, string>> {
  const asked = tasks.flatMap((task) => {
    if (task.codeScan) return [];
    const [first] = exploitingParameters({ [task.type]: reportedParameters(task) });
    return first ? [{ ...task, problem: `${first.path}: ${first.message}.` }] : [];
  });
  const known = await Promise.all(engagementIdsOf(asked).map((id) => owner.find(engagements, id)));
  const allowed = new Set<string | null>(
    known.flatMap((one) => (one?.rulesOfEngagement.allowExploitation ? [one.id] : [])),
  );
  return new Map(asked.flatMap((task) => (allowed.has(task.engagementId) ? [] : [[task.id, task.problem] as const])));
}

/** Why branches cannot be scanned any more, by branch. */
async function goneBranches(owner: Table, tasks: readonly ScannerTask[]): Promise<Map<string | undefined, string>> {
  const scans = tasks.flatMap(({ codeScan }) => codeScan ?? []);
  if (scans.length === 0) return new Map();
  const [branches, kept] = await Promise.all([
    owner.findMany(
      codeBranches,
      scans.map(({ branchId }) => branchId),
    ),
    owner.findMany(
      repositories,
      scans.map(({ repositoryId }) => repositoryId),
    ),
  ]);
  return new Map(
    branches.flatMap((branch) => {
      const repository = kept.find(({ id }) => id === branch.repositoryId);
      const problem = repository && scanProblem({ repository, branch });
      return problem ? [[branch.id, problem] as const] : [];
    }),
  );
}

/** Without the intensity, which the engagement gives to each of its tasks. */
const reportedParameters = ({ parameters: { intensity: _, ...own } }: ScannerTask) => own;
