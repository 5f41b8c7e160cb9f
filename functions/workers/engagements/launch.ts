import { isInProgress, modifyEngagement } from '#shared/engagements/modify.ts';
import { beginRun, firstStart, startAfter } from '#shared/engagements/runs.ts';
import { countTasks, endedSince, settleEngagement } from '#shared/engagements/settle.ts';
import { type Engagement, engagementStates } from '#shared/entities/engagement.ts';
import { engagementRuns } from '#shared/entities/engagement-run.ts';
import { now, nowMs } from '#shared/runtime/clock.ts';
import { nextState } from '#shared/runtime/state-machine.ts';
import type { Table } from '#shared/table/table.ts';

type Launched = { engagement: Engagement } | { waits: { engagementStatus: string; nextRunAt: string | null } };

const scheduled = (state: Engagement['status']) =>
  nextState(engagementStates, { state, verb: 'schedule', name: 'engagement' });

/**
 * The engagement whose run this task is to make tasks for: the run was begun for it, or is begun now if the engagement
 * is approved and starts at once. Otherwise there is nothing to make (yet), and why.
 */
export async function launch(table: Table, engagementId: string, taskId: string): Promise<Launched> {
  const [runId = ''] = await table.reserve(engagementRuns, 1);
  const counts = await countTasks(table, engagementId, true);
  const engagement = await modifyEngagement(table, engagementId, (standing) => {
    // it was approved while the task of its request was on its way: whichever comes first begins the run
    if (standing.status !== 'approved' || isInProgress(standing.lastRun)) return undefined;
    if (standing.taskTypes.length === 0) return { changes: { status: scheduled(standing.status) } };
    const start = standing.runs === 0 ? firstStart(standing) : (startAfter(standing, nowMs()) ?? now());
    if (Date.parse(start) > nowMs()) return { changes: { status: scheduled(standing.status), nextRunAt: start } };
    return beginRun(table, { engagement: standing, runId, taskId, counts, scheduledFor: null });
  });
  const { lastRun } = engagement;
  // a run whose tasks could not be made has a reason, and stays failed when its message comes again
  if (lastRun?.taskId === taskId && lastRun.statusReason === undefined) return { engagement };
  return { waits: { engagementStatus: engagement.status, nextRunAt: engagement.nextRunAt } };
}

/** All tasks of the run are made; from now on the engagement follows them. */
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
 * The tasks of a run cannot be made: the run has failed, and so has an engagement that has no further start. One that
 * recurs tries again at its next, for by then the reason may be gone.
 */
export async function failRun(table: Table, engagementId: string, statusReason: string): Promise<void> {
  const counts = await countTasks(table, engagementId, true);
  await modifyEngagement(table, engagementId, async ({ status, lastRun, nextRunAt }) => {
    if (lastRun?.status !== 'preparing') return undefined;
    const run = await table.get(engagementRuns, lastRun.id, true);
    const failed = { status: 'failed' as const, statusReason, finishedAt: now() };
    const tasks = endedSince(counts, lastRun.tasksBefore);
    // someone may have cancelled it, or it may wait for a decision again: then it stays as it is
    const next = engagementStates[status][nextRunAt === null ? 'fail' : 'schedule'];
    const isOver = next === 'failed' && { statusReason, completedAt: now() };
    return {
      changes: { lastRun: { ...lastRun, ...failed }, ...(next && { status: next, ...isOver }) },
      also: (batch) => batch.update(engagementRuns, run, table.changed(run, { ...failed, tasks })),
    };
  });
}
