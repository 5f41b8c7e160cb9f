import { isFinal } from '#shared/platform/runtime/state-machine.ts';
import type { ApexCampaign, ApexCampaignRun, RunStatus, TaskCounts } from './apex-campaign.ts';
import { noTasks } from './apex-campaign.ts';
import type { ApexTask, ApexTaskListItem, SeverityCounts } from './apex-task.ts';
import { apexTaskStates, noFindings } from './apex-task.ts';

export type RunState = {
  campaign: Pick<ApexCampaign, 'limits' | 'onTaskFailure'>;
  run: Pick<ApexCampaignRun, 'status' | 'plan' | 'made' | 'deadlineAt'>;
  tasks: readonly ApexTaskListItem[];
  /** RFC 3339. */
  time: string;
  /** No window of the engagement is open: tasks that wait for one go on waiting. */
  isOutsideWindow?: boolean;
};

/** The next steps of a run. After these steps the next decision is empty. */
export type RunDecision = {
  /** Waiting tasks that can never run, with the reason. */
  cancel: { task: ApexTaskListItem; error: { code: string; message: string } }[];
  /** Running tasks that their appliances must stop. */
  stop: { task: ApexTaskListItem; reason: string }[];
  release: ApexTaskListItem[];
  hold: { task: ApexTaskListItem; reason: ApexTask['waitingReason'] }[];
  end?: { status: RunStatus; reason: string | null };
};

const nothing = (): RunDecision => ({ cancel: [], stop: [], release: [], hold: [] });

const STOPPED = { code: 'campaign_stopped', message: 'Another task of the campaign failed.' };
export const LATE = { code: 'duration_limit', message: 'The run took longer than the campaign allows.' };
const BLOCKED = { code: 'dependency_failed', message: 'A task on which this task depends was not completed.' };

const isOver = ({ status }: ApexTaskListItem): boolean => isFinal(apexTaskStates, status);

/** Whether a run has taken longer than its campaign allows. */
export const isLate = ({ deadlineAt }: Pick<ApexCampaignRun, 'deadlineAt'>, time: string): boolean =>
  deadlineAt !== null && deadlineAt <= time;

/** The next step of a run that has not ended. */
export function decideRun(state: RunState): RunDecision {
  const { campaign, run, tasks, time } = state;
  const failed = tasks.some(({ status }) => status === 'failed');
  if (isLate(run, time)) return endEarly(state, LATE);
  if (failed && campaign.onTaskFailure === 'stop') return endEarly(state, STOPPED);
  const cancel = blocked(state);
  if (cancel.length > 0) return { ...nothing(), cancel };
  if (run.made && tasks.every(isOver)) return { ...nothing(), end: outcome(tasks) };
  return run.status === 'paused' ? pause(tasks) : advance(state);
}

/** Ends a run early: nothing more begins, running tasks are asked to stop, and the run fails once all have ended. */
function endEarly({ tasks, run }: RunState, error: { code: string; message: string }): RunDecision {
  const cancel = tasks.flatMap((task) => (task.status === 'pending' ? [{ task, error }] : []));
  const stop = tasks.flatMap((task) =>
    task.status === 'running' && !task.cancelRequestedAt ? [{ task, reason: error.code }] : [],
  );
  const isDone = tasks.every(isOver) && (run.made || error === LATE);
  return { ...nothing(), cancel, stop, ...(isDone && { end: { status: 'failed', reason: error.message } as const }) };
}

function outcome(tasks: readonly ApexTaskListItem[]): { status: RunStatus; reason: string | null } {
  const { completed, failed } = countTasks(tasks);
  if (completed > 0) return { status: 'completed', reason: failed > 0 ? `${failed} of its tasks failed.` : null };
  if (failed > 0) return { status: 'failed', reason: 'None of its tasks could be completed.' };
  return { status: 'cancelled', reason: 'All of its tasks were cancelled.' };
}

function blocked({ run, tasks }: RunState): RunDecision['cancel'] {
  const byId = new Map(tasks.map((task) => [task.id, task]));
  const isLost = (id: string) => ['failed', 'cancelled'].includes(byId.get(id)?.status ?? '');
  return run.plan.flatMap(({ taskId, dependsOn }) => {
    const task = byId.get(taskId);
    return task?.status === 'pending' && dependsOn.some(isLost) ? [{ task, error: BLOCKED }] : [];
  });
}

const pause = (tasks: readonly ApexTaskListItem[]): RunDecision => ({
  ...nothing(),
  hold: tasks.flatMap((task) =>
    task.status === 'pending' && (task.released || task.waitingReason !== 'campaign_paused')
      ? [{ task, reason: 'campaign_paused' as const }]
      : [],
  ),
});

/** Releases approved tasks with completed dependencies, the most urgent first, up to the limit. */
function advance({ campaign, run, tasks, isOutsideWindow }: RunState): RunDecision {
  const done = new Set(tasks.filter(({ status }) => status === 'completed').map(({ id }) => id));
  const order = new Map(run.plan.map(({ taskId, dependsOn }, n) => [taskId, { n, dependsOn }]));
  const waiting = tasks.filter(({ status, released }) => status === 'pending' && !released);
  const offered = tasks.filter(({ status, released }) => status === 'pending' && released);
  const inFlight = offered.length + tasks.filter(({ status }) => status === 'running').length;
  let room = (campaign.limits.maxConcurrentTasks ?? Number.POSITIVE_INFINITY) - inFlight;
  const decision = nothing();
  const byUrgency = (some: readonly ApexTaskListItem[]) =>
    some.toSorted((a, b) => b.priority - a.priority || (order.get(a.id)?.n ?? 0) - (order.get(b.id)?.n ?? 0));
  // the limit was lowered: queued tasks are held again, the least urgent first
  if (room < 0)
    decision.hold.push(
      ...byUrgency(offered)
        .slice(room)
        .map((task) => ({ task, reason: 'campaign_limit' as const })),
    );
  for (const task of byUrgency(waiting)) {
    const ready = (order.get(task.id)?.dependsOn ?? []).every((id) => done.has(id));
    const reason = reasonToWait(task, { ready, room });
    if (reason === null && isOutsideWindow && task.waitingReason === 'outside_window') continue;
    if (reason === null) {
      decision.release.push(task);
      room -= 1;
    } else if (reason !== task.waitingReason) decision.hold.push({ task, reason });
  }
  return decision;
}

function reasonToWait(
  task: ApexTaskListItem,
  { ready, room }: { ready: boolean; room: number },
): ApexTask['waitingReason'] {
  if (!ready) return 'dependencies';
  if (task.approval === 'required' && task.approvedBy === null) return 'approval';
  return room > 0 ? null : 'campaign_limit';
}

export function countTasks(tasks: readonly ApexTaskListItem[]): TaskCounts {
  const counts = { ...noTasks };
  for (const { status } of tasks) counts[status] += 1;
  return counts;
}

export function countFindings(tasks: readonly ApexTaskListItem[]): SeverityCounts {
  const counts = { ...noFindings };
  for (const { findings } of tasks)
    for (const severity of ['critical', 'high', 'medium', 'low', 'info'] as const)
      counts[severity] += findings[severity];
  return counts;
}
