import { scanProblem } from '#shared/code-scans/may-scan.ts';
import { codeBranches } from '#shared/entities/code-branch.ts';
import { engagements } from '#shared/entities/engagement.ts';
import { repositories } from '#shared/entities/repository.ts';
import { exploitingParameters } from '#shared/entities/scan-parameters.ts';
import { engagementIdsOf, type ScannerTask } from '#shared/entities/scanner-task.ts';
import type { Failure } from '#shared/leases/rules.ts';
import type { Table } from '#shared/table/table.ts';
import { checkTarget } from '#shared/targets/canonical.ts';
import { isPublicTarget, NOT_PUBLIC_PROBLEM } from '#shared/targets/public.ts';

const NOT_ALLOWED = 'not_allowed';

/** Why tasks may not begin by the rules of today: an older release may have queued them. By task. */
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

/** Engagements are read only for tasks with parameters that need their permission; the service itself wrote those of other tasks. */
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
