import { finish, lease } from '#shared/apex/moves.ts';
import type { ApexLease, ApexPresence } from '#shared/apex/presence.ts';
import { publicUsage } from '#shared/apex/public.ts';
import { isLate, LATE } from '#shared/apex/run-rules.ts';
import { holdForWindow, isOutsideWindow } from '#shared/apex/window.ts';
import { rememberWrites } from '#shared/dispatch/shared-lease.ts';
import { apexCampaignRuns } from '#shared/entities/apex-campaign.ts';
import { type ApexTask, isExploiting } from '#shared/entities/apex-task.ts';
import { type Engagement, engagementStates, engagements } from '#shared/entities/engagement.ts';
import { LEASE_SECONDS, MAX_TASK_SECONDS } from '#shared/machines/leases.ts';
import { inSeconds, now } from '#shared/runtime/clock.ts';
import { isFinal } from '#shared/runtime/state-machine.ts';
import type { Batch } from '#shared/table/batch.ts';
import type { Table } from '#shared/table/table.ts';
import { scopeCheck } from '#shared/targets/scope-check.ts';
import type { LeasedApexTask } from './routes.ts';
import type { Found } from './take.ts';

type Taken = { answers: LeasedApexTask[]; leases: Record<string, ApexLease>; refused: ApexTask[] };
type Leasing = { presence: ApexPresence; found: Found };

/**
 * Puts the leases into the batch: of the appliance's own organization's tasks, or of the one's whose turn it is. What the
 * engagement or run no longer allows is cancelled instead of handed out.
 */
export async function leaseAll(table: Table, batch: Batch, { presence, found }: Leasing): Promise<Taken> {
  const { owner, tasks } = found;
  const ids = [...new Set(tasks.map(({ engagementId }) => engagementId))];
  const [known, late] = await Promise.all([
    Promise.all(ids.map((id) => owner.find(engagements, id))),
    lateRuns(owner, tasks),
  ]);
  const step = { table: owner, batch: batch.within(owner.scope) };
  const whose = owner.organizationId === table.organizationId ? null : table.organizationId;
  const taken: Taken = { answers: [], leases: {}, refused: [] };
  const leased: ApexTask[] = [];
  for (const task of tasks) {
    const engagement = known.find((one) => one?.id === task.engagementId);
    if (late.has(task.runId)) taken.refused.push(finish(step, task, { verb: 'cancel', error: LATE }));
    else if (!engagement || !isAllowed(task, engagement))
      taken.refused.push(finish(step, task, { verb: 'cancel', error: NOT_ALLOWED }));
    else if (isOutsideWindow(engagement)) holdForWindow(step, task, engagement);
    else leased.push(leaseOne(step, presence, { task, engagement, taken, providerId: whose }));
  }
  batch.write(...publicUsage(owner, leased, 1));
  batch.write(...rememberWrites(table, presence.machineId, { owner, ids: leased.map(({ id }) => id) }));
  return taken;
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
  message: 'Its engagement has ended, is not approved, or does not allow such a task or its targets.',
};

const isAllowed = (task: ApexTask, engagement: Engagement): boolean =>
  engagement.status !== 'requested' &&
  !isFinal(engagementStates, engagement.status) &&
  isReachable(task) &&
  task.targets.every(scopeCheck(engagement).isInScope) &&
  (!isExploiting(task.type) || engagement.rulesOfEngagement.allowExploitation);

/** A zone is the client's own: a public appliance stands in none, whatever the targets became since the campaign was made. */
const isReachable = ({ usePublicApex, targets }: ApexTask): boolean =>
  !usePublicApex || targets.every(({ zone }) => zone === null);

type One = { task: ApexTask; engagement: Engagement; taken: Taken; providerId: string | null };

function leaseOne(step: { table: Table; batch: Batch }, presence: ApexPresence, one: One): ApexTask {
  const { task, engagement, taken, providerId } = one;
  const timeout = task.limits.timeoutSeconds ?? MAX_TASK_SECONDS;
  const leaseSeconds = Math.min(LEASE_SECONDS, timeout);
  const [leaseExpiresAt, deadlineAt] = [inSeconds(leaseSeconds), inSeconds(timeout)];
  const appliance = { id: presence.machineId, name: presence.name };
  // what was excluded after the task was made is excluded all the same
  const { exclusions } = engagement;
  const leased = lease(step, task, { appliance, providerId, exclusions, leaseExpiresAt });
  taken.answers.push({ ...workOf(leased, engagement), leaseSeconds, leaseExpiresAt, deadlineAt });
  const { id, attempt, engagementId, runId } = leased;
  const [until, deadline] = [Date.parse(leaseExpiresAt), Date.parse(deadlineAt)];
  // of another organization's task the lease says whose: all that is sent for it goes there
  const whose = providerId === null ? {} : { organizationId: step.table.organizationId };
  taken.leases[id] = { attempt, until, deadline, engagementId, runId, progress: 0, ...whose };
  return leased;
}

function workOf(task: ApexTask, { rulesOfEngagement }: Engagement) {
  const { id, type, title, objective, targets, exclusions, parameters, engagementId, campaignId, limits } = task;
  const { allowExploitation, notes } = rulesOfEngagement;
  const what = { id, type, title, objective, targets, exclusions, parameters, engagementId, campaignId, limits };
  return { ...what, attempt: task.attempt, allowExploitation, rules: notes };
}
