import { now, nowMs } from '#shared/platform/runtime/clock.ts';
import { nextState } from '#shared/platform/runtime/state-machine.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { countTasks, endedSince, settleEngagement } from '#shared/scanning/engagement-tasks/settle.ts';
import { type Engagement, engagementStates } from '#shared/scanning/engagements/engagement.ts';
import { engagementRuns } from '#shared/scanning/engagements/engagement-run.ts';
import { isInProgress, modifyEngagement } from '#shared/scanning/engagements/modify.ts';
import { beginRun, firstStart, startAfter } from '#shared/scanning/engagements/runs.ts';

type RunToMake = { engagement: Engagement } | { waits: { engagementStatus: string; nextRunAt: string | null } };

const scheduled = (state: Engagement['status']) =>
  nextState(engagementStates, { state, verb: 'schedule', name: 'engagement', offers: [] });

/**
 * Begins the run of an approved engagement that starts now, or finds the run that this task began. Otherwise it makes
 * no tasks, and the answer says why the engagement waits.
 */
export async function launch(table: Table, engagementId: string, taskId: string): Promise<RunToMake> {
  const [runId = ''] = await table.reserve(engagementRuns, 1);
  const counts = await countTasks(table, engagementId, true);
  const engagement = await modifyEngagement(table, engagementId, (current) => {
    // an approval may overtake the task of the request: the first of the two begins the run
    if (current.status !== 'approved' || isInProgress(current.lastRun)) return undefined;
    if (current.taskTypes.length === 0) return { changes: { status: scheduled(current.status) } };
    const start = current.runs === 0 ? firstStart(current) : (startAfter(current, nowMs()) ?? now());
    if (Date.parse(start) > nowMs()) return { changes: { status: scheduled(current.status), nextRunAt: start } };
    return beginRun(table, { engagement: current, runId, taskId, counts, scheduledFor: null });
  });
  const { lastRun } = engagement;
  // a failed run has a reason, and stays failed when its message comes again
  if (lastRun?.taskId === taskId && lastRun.statusReason === undefined) return { engagement };
  return { waits: { engagementStatus: engagement.status, nextRunAt: engagement.nextRunAt } };
}

/** Ends the preparation of a run: from now on the status follows its tasks. */
export async function endPreparing(table: Table, engagementId: string): Promise<void> {
  await modifyEngagement(table, engagementId, async ({ status, lastRun }) => {
    if (lastRun?.status !== 'preparing') return undefined;
    const run = await table.get(engagementRuns, lastRun.id, true);
    return {
      changes: {
        lastRun: { ...lastRun, status: 'running' },
        ...(status === 'approved' && { status: scheduled(status) }),
      },
      also: (batch) => batch.update(engagementRuns, run, table.changed(run, { status: 'running' })),
    };
  });
  await settleEngagement(table, engagementId);
}

/**
 * Fails a run whose tasks cannot be made, and with it an engagement without a next start. A recurring engagement tries
 * again at its next start.
 */
export async function failRun(table: Table, engagementId: string, statusReason: string): Promise<void> {
  const counts = await countTasks(table, engagementId, true);
  await modifyEngagement(table, engagementId, async ({ status, lastRun, nextRunAt }) => {
    if (lastRun?.status !== 'preparing') return undefined;
    const run = await table.get(engagementRuns, lastRun.id, true);
    const failed = { status: 'failed' as const, statusReason, finishedAt: now() };
    const tasks = endedSince(counts, lastRun.tasksBefore);
    // an engagement that was cancelled, or waits for a decision again, keeps its status
    const next = engagementStates[status][nextRunAt === null ? 'fail' : 'schedule'];
    const isOver = next === 'failed' && { statusReason, completedAt: now() };
    return {
      changes: { lastRun: { ...lastRun, ...failed }, ...(next && { status: next, ...isOver }) },
      also: (batch) => batch.update(engagementRuns, run, table.changed(run, { ...failed, tasks })),
    };
  });
}
