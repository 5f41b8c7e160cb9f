import { finish, lease } from '#shared/apex/moves.ts';
import { type ApexLease, type ApexPresence, isOvertaken, saveApexPresence } from '#shared/apex/presence.ts';
import { settleTasks } from '#shared/apex/settle.ts';
import { holdForWindow, isOutsideWindow } from '#shared/apex/window.ts';
import { inSeconds, nowMs } from '#shared/clock.ts';
import type { ApexDataSource } from '#shared/entities/apex-appliance.ts';
import { type ApexTask, isExploiting } from '#shared/entities/apex-task.ts';
import { type Engagement, engagementStates, engagements } from '#shared/entities/engagement.ts';
import { invalid } from '#shared/http/errors.ts';
import { isHeartbeatDue } from '#shared/machines/presence.ts';
import { hintKey, workHints } from '#shared/scanning/queue.ts';
import { isFinal } from '#shared/state-machine.ts';
import type { Batch } from '#shared/table/batch.ts';
import type { Table } from '#shared/table/table.ts';
import { describe, presenceOf } from './appliance.ts';
import type { ApexNewTasksAnswer, LeasedApexTask } from './routes.ts';
import {
  hear,
  intervalFor,
  LEASE_SECONDS,
  MAX_TASK_SECONDS,
  queuesOf,
  roomFor,
  type Work,
  withinToldInterval,
} from './rules.ts';
import { findWork } from './take.ts';

export type Poll = { applianceId: string; body: ApexDataSource };

/** Tries before a poll goes without work: by then others have it. */
const ATTEMPTS = 8;

/** One poll of an appliance. @throws unauthorized when it was removed */
export async function poll(table: Table, request: Poll): Promise<ApexNewTasksAnswer> {
  if (request.body.capacity == null) throw invalid('capacity', 'is required: how many more tasks you take now');
  for (let attempt = 1; ; attempt++) {
    try {
      const { answer, refused } = await pollOnce(table, request, attempt);
      await settleTasks(table, refused);
      return answer;
    } catch (error) {
      if (!isOvertaken(error) || attempt > ATTEMPTS) throw error;
    }
  }
}

async function pollOnce(table: Table, { applianceId, body }: Poll, attempt: number) {
  const isRetry = attempt > 1;
  const [before, hint] = await Promise.all([
    presenceOf(table, applianceId, { running: body.running, consistent: isRetry }),
    table.rows(workHints).find(hintKey, isRetry),
  ]);
  const heard = hear(before, body.running);
  const batch = table.batch();
  const described = await describe({ table, batch }, before, body);
  const presence = { ...(described ?? before), online: true, leases: heard.leases };
  const room = attempt > ATTEMPTS ? 0 : roomFor(presence, body.capacity ?? 0);
  const { tasks, more } = await findWork(table, { queues: queuesOf(presence), hint, room, attempt });
  const taken = await takeAll({ table, batch }, presence, tasks);
  const work: Work = more ? (room > 0 ? 'waits' : 'waits but no room') : 'none';
  const told = intervalFor(work, Math.random());
  const isRecorded = tasks.length > 0 || described !== undefined || isHeartbeatDue(before);
  if (isRecorded) {
    const leases = { ...heard.leases, ...taken.leases };
    const after = { ...presence, leases, lastSeenAt: nowMs(), toldSeconds: told };
    await saveApexPresence(table, { before, after, batch });
  }
  const pollAfterSeconds = isRecorded ? told : withinToldInterval(before, told);
  const answer = { tasks: taken.answers, cancel: heard.cancel, lost: heard.lost, pollAfterSeconds };
  return { answer, refused: taken.refused };
}

type Taken = { answers: LeasedApexTask[]; leases: Record<string, ApexLease>; refused: ApexTask[] };

/** Puts the leases into the batch. What the engagement no longer allows is cancelled instead of handed out. */
async function takeAll(
  step: { table: Table; batch: Batch },
  presence: ApexPresence,
  tasks: ApexTask[],
): Promise<Taken> {
  const { table } = step;
  const taken: Taken = { answers: [], leases: {}, refused: [] };
  const ids = [...new Set(tasks.map(({ engagementId }) => engagementId))];
  const found = await Promise.all(ids.map((id) => table.find(engagements, id)));
  for (const task of tasks) {
    const engagement = found.find((one) => one?.id === task.engagementId);
    if (!engagement || !isAllowed(task, engagement)) {
      const error = {
        code: 'not_allowed',
        message: 'Its engagement has ended, is not approved, or does not allow such a task.',
      };
      taken.refused.push(finish(step, task, { verb: 'cancel', error }));
    } else if (isOutsideWindow(engagement)) holdForWindow(step, task, engagement);
    else takeOne(step, presence, { task, engagement, taken });
  }
  return taken;
}

const isAllowed = ({ type }: ApexTask, { status, rulesOfEngagement }: Engagement): boolean =>
  status !== 'requested' &&
  !isFinal(engagementStates, status) &&
  (!isExploiting(type) || rulesOfEngagement.allowExploitation);

type Taking = { task: ApexTask; engagement: Engagement; taken: Taken };

function takeOne(step: { table: Table; batch: Batch }, presence: ApexPresence, { task, engagement, taken }: Taking) {
  const timeout = task.limits.timeoutSeconds ?? MAX_TASK_SECONDS;
  const leaseSeconds = Math.min(LEASE_SECONDS, timeout);
  const [leaseExpiresAt, deadlineAt] = [inSeconds(leaseSeconds), inSeconds(timeout)];
  const appliance = { id: presence.machineId, name: presence.name };
  const leased = lease(step, task, { appliance, leaseExpiresAt });
  const { id, type, title, objective, targets, exclusions, parameters, engagementId, campaignId, runId, limits } = task;
  const { allowExploitation, notes } = engagement.rulesOfEngagement;
  const { attempt } = leased;
  const what = {
    id,
    type,
    title,
    objective,
    targets,
    exclusions,
    parameters,
    engagementId,
    campaignId,
    limits,
    attempt,
  };
  taken.answers.push({ ...what, allowExploitation, rules: notes, leaseSeconds, leaseExpiresAt, deadlineAt });
  const [until, deadline] = [Date.parse(leaseExpiresAt), Date.parse(deadlineAt)];
  taken.leases[id] = { attempt, until, deadline, engagementId, runId, progress: 0 };
}
