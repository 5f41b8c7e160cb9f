import { canonicalTargets } from '#shared/assets/targets/canonical.ts';
import { isInScope } from '#shared/assets/targets/covers.ts';
import type { ScanTarget } from '#shared/assets/targets/scan-target.ts';
import { scopeCheck } from '#shared/assets/targets/scope-check.ts';
import { conflict, type ErrorDetail, invalid } from '#shared/platform/runtime/errors.ts';
import { isFinal } from '#shared/platform/runtime/state-machine.ts';
import type { Draft, Table } from '#shared/platform/table/table.ts';
import { type Engagement, engagementStates } from '#shared/scanning/engagements/engagement.ts';
import { apexAppliances } from './apex-appliance.ts';
import { type ApexTask, type ApexTaskCreate, isExploiting, noFindings, noUsage } from './apex-task.ts';

const MAX_ATTEMPTS = 3;

/** A new task within its engagement scope. */
export function newApexTask(engagement: Engagement, wanted: ApexTaskCreate): Draft<ApexTask> {
  return {
    ...wanted,
    title: wanted.title ?? wanted.objective.slice(0, 200),
    targets: targetsWithin(engagement, wanted.targets, 'targets'),
    approval: isExploiting(wanted.type) ? 'required' : wanted.approval,
    exclusions: engagement.exclusions,
    zone: null,
    usePublicApex: false,
    campaignId: null,
    runId: null,
    templateKey: null,
    status: 'pending',
    waitingReason: null,
    released: false,
    approvedBy: null,
    appliance: null,
    attempt: 0,
    maxAttempts: MAX_ATTEMPTS,
    progress: null,
    cancelRequestedAt: null,
    leaseExpiresAt: null,
    usage: noUsage,
    findings: noFindings,
    ingestTaskIds: [],
    result: null,
    error: null,
    startedAt: null,
    finishedAt: null,
  };
}

/** The targets in their stored form; none given: all targets that are not excluded. @throws validation_failed */
export function targetsWithin(
  engagement: Pick<Engagement, 'targets' | 'exclusions'>,
  wanted: readonly ScanTarget[],
  path: string,
): ScanTarget[] {
  if (wanted.length === 0) return allWithin(engagement, path);
  return wanted.flatMap((target, n) => {
    const checked = canonicalTargets(target);
    if ('problem' in checked) throw invalid(`${path}.${n}.value`, checked.problem);
    const named = checked.map((one) => ({ ...target, ...one }));
    if (!named.every((one) => isInScope(engagement, one)))
      throw invalid(`${path}.${n}`, 'must be within the engagement scope: its targets without its exclusions');
    return named;
  });
}

function allWithin(engagement: Pick<Engagement, 'targets' | 'exclusions'>, path: string): ScanTarget[] {
  const left = engagement.targets.filter(scopeCheck(engagement).isInScope);
  if (left.length === 0) throw invalid(path, 'the engagement excludes all of its targets: change its exclusions');
  return left;
}

/** @throws validation_failed for an appliance that does not exist or is public */
export async function assertOwnAppliances(table: Table, ids: readonly string[], path: string): Promise<void> {
  const found = await table.findMany(apexAppliances, ids);
  for (const id of ids) {
    const appliance = found.find((one) => one.id === id);
    if (!appliance) throw invalid(path, `there is no appliance ${id}`);
    if (appliance.public)
      throw invalid(path, `the appliance ${id} is public: run a campaign with usePublicApex instead`);
  }
}

/** @throws conflict when the engagement is not approved or has ended, validation_failed when it forbids exploitation */
export function assertOpen(engagement: Engagement, types: readonly ApexTask['type'][], path: string): void {
  const { status, rulesOfEngagement } = engagement;
  if (status === 'requested' || isFinal(engagementStates, status))
    throw conflict(`The engagement is ${status}: name one that is approved and has not ended.`);
  const type = types.find(isExploiting);
  const problem: ErrorDetail = {
    path,
    message: `${type} is exploitation: set rulesOfEngagement.allowExploitation of the engagement first`,
  };
  if (type && !rulesOfEngagement.allowExploitation) throw invalid(problem.path, problem.message);
}
