import { apexCampaignRuns } from '#shared/apex/apex-campaign.ts';
import { type ApexTask, isExploiting } from '#shared/apex/apex-task.ts';
import { finish, lease } from '#shared/apex/moves.ts';
import { publicUsage } from '#shared/apex/public.ts';
import { isLate, LATE } from '#shared/apex/run-rules.ts';
import { holdForWindow, isOutsideWindow } from '#shared/apex/window.ts';
import { checkTarget } from '#shared/assets/targets/canonical.ts';
import { isPublicTarget } from '#shared/assets/targets/public.ts';
import { scopeCheck } from '#shared/assets/targets/scope-check.ts';
import { now } from '#shared/platform/runtime/clock.ts';
import { isFinal } from '#shared/platform/runtime/state-machine.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { type Engagement, engagementStates, engagements } from '#shared/scanning/engagements/engagement.ts';
import { leaseTerms } from '#shared/scanning/leases/lease.ts';
import type { Leased, Recipient } from '#shared/scanning/leases/poll.ts';
import type { Step } from '#shared/scanning/leases/rules.ts';
import type { ApexCallTypes } from './calls.ts';
import type { ApexFound } from './take.ts';

type Handout = { leased: Leased<ApexCallTypes>[]; ended: ApexTask[] };

/**
 * Leases tasks of the appliance's own organization, or of the organization whose turn it is. Cancels a task that its
 * engagement or run no longer allows, instead of leasing it.
 */
export async function leaseFound(step: Step, to: Recipient<ApexCallTypes>, { owner, tasks }: ApexFound) {
  const ids = [...new Set(tasks.map(({ engagementId }) => engagementId))];
  const [known, late] = await Promise.all([
    Promise.all(ids.map((id) => owner.find(engagements, id))),
    lateRuns(owner, tasks),
  ]);
  const handout: Handout = { leased: [], ended: [] };
  for (const task of tasks) {
    const engagement = known.find((one) => one?.id === task.engagementId);
    if (late.has(task.runId)) handout.ended.push(finish(step, task, { verb: 'cancel', error: LATE }));
    else if (!engagement || !isAllowed(task, engagement))
      handout.ended.push(finish(step, task, { verb: 'cancel', error: NOT_ALLOWED }));
    else if (isOutsideWindow(engagement)) holdForWindow(step, task, engagement);
    else handout.leased.push(leaseOne(step, to, { task, engagement }));
  }
  const leased = handout.leased.map(({ task }) => task);
  step.batch.write(...publicUsage(owner, leased, 1));
  return handout;
}

/** The runs that are over their time: the sweeper ends them within a minute, and until then they begin nothing. */
async function lateRuns(owner: Table, tasks: readonly ApexTask[]): Promise<Set<string | null>> {
  const runs = await owner.findMany(
    apexCampaignRuns,
    tasks.flatMap(({ runId }) => runId ?? []),
  );
  return new Set(runs.filter((run) => isLate(run, now())).map(({ id }) => id));
}

const NOT_ALLOWED = {
  code: 'not_allowed',
  message: 'The engagement of the task has ended, is not approved, or does not allow the task or its targets.',
};

const isAllowed = (task: ApexTask, engagement: Engagement): boolean =>
  engagement.status !== 'requested' &&
  !isFinal(engagementStates, engagement.status) &&
  isReachable(task) &&
  task.targets.every((target) => 'value' in checkTarget(target)) &&
  task.targets.every(scopeCheck(engagement).isInScope) &&
  (!isExploiting(task.type) || engagement.rulesOfEngagement.allowExploitation);

/** A public appliance is in no zone and no private network, even if the targets have changed since the creation of the campaign. */
const isReachable = ({ usePublicApex, targets }: ApexTask): boolean =>
  !usePublicApex || targets.every((target) => target.zone === null && isPublicTarget(target));

type Allowed = { task: ApexTask; engagement: Engagement };

function leaseOne(step: Step, { presence, providerId }: Recipient<ApexCallTypes>, { task, engagement }: Allowed) {
  const terms = leaseTerms(task.limits.timeoutSeconds ?? undefined);
  const { leaseExpiresAt } = terms;
  // exclusions that were added after the task was made count too
  const { exclusions } = engagement;
  const appliance = { id: presence.machineId, name: presence.name };
  const leased = lease(step, task, { appliance, providerId, exclusions, leaseExpiresAt });
  const { engagementId, runId } = leased;
  return { task: leased, terms, work: workOf(leased, engagement), kept: { engagementId, runId } };
}

function workOf(task: ApexTask, { rulesOfEngagement }: Engagement) {
  const { id, type, title, objective, targets, exclusions, parameters, engagementId, campaignId, limits } = task;
  const { allowExploitation, notes } = rulesOfEngagement;
  const what = { id, type, title, objective, targets, exclusions, parameters, engagementId, campaignId, limits };
  return { ...what, attempt: task.attempt, allowExploitation, rules: notes };
}
