import { now } from '#shared/platform/runtime/clock.ts';
import { log } from '#shared/platform/runtime/log.ts';
import { isFinal } from '#shared/platform/runtime/state-machine.ts';
import type { Batch } from '#shared/platform/table/batch.ts';
import type { Counts } from '#shared/platform/table/counters.ts';
import { queryRows } from '#shared/platform/table/io/read.ts';
import { keysOf, tallyValue } from '#shared/platform/table/layout/keys.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { type Engagement, type EngagementStatus, engagementStates, engagements } from '../engagements/engagement.ts';
import { engagementRuns } from '../engagements/engagement-run.ts';
import { isInProgress, modifyEngagement } from '../engagements/modify.ts';
import { scannerTaskPlace } from '../scanner-tasks/scanner-task.ts';

/** The counters of an engagement's tasks: one range read over their shards. */
export async function countTasks(table: Table, engagementId: string, consistent = false): Promise<Counts> {
  const pk = keysOf(table.tenant, scannerTaskPlace).tallies('engagement');
  const from = tallyValue(engagementId);
  const sums: Counts = {};
  const shards = await queryRows(table.dynamo, { pk, from, to: `${from}#~`, consistent });
  for (const { pk: _pk, sk: _sk, ...counts } of shards)
    for (const [name, amount] of Object.entries(counts)) sums[name] = (sums[name] ?? 0) + Number(amount);
  return sums;
}

/** The status of an engagement from the tasks of its current run: all of its tasks except those of earlier runs. */
export function statusByTasks(status: EngagementStatus, counts: Counts, before: Ended = NONE): EngagementStatus {
  const { pending = 0, running = 0, completed, failed, cancelled } = { ...counts, ...endedSince(counts, before) };
  const ended = completed + failed + cancelled;
  if (['requested', 'approved'].includes(status) || isFinal(engagementStates, status)) return status;
  if (ended + running + pending === 0) return status;
  if (pending + running > 0) return ended + running > 0 ? 'running' : status;
  if (completed > 0) return 'completed';
  return failed > 0 ? 'failed' : 'cancelled';
}

type Ended = { completed: number; failed: number; cancelled: number };
const NONE: Ended = { completed: 0, failed: 0, cancelled: 0 };

/** The tasks that have ended in the present run. */
export const endedSince = ({ completed = 0, failed = 0, cancelled = 0 }: Counts, before: Ended): Ended => ({
  completed: completed - before.completed,
  failed: failed - before.failed,
  cancelled: cancelled - before.cancelled,
});

type EngagementState = Pick<Engagement, 'status' | 'lastRun' | 'nextRunAt'>;

/** The status of an engagement and of its run. Tasks decide nothing until the worker has made all tasks of the run. */
export function stateByTasks({ status, lastRun, nextRunAt }: EngagementState, counts: Counts) {
  if (lastRun?.status !== 'running') return { status, run: lastRun?.status };
  const byTasks = statusByTasks('running', counts, lastRun.tasksBefore);
  const isOver = byTasks === 'completed' || byTasks === 'failed' || byTasks === 'cancelled';
  const run = isOver ? byTasks : lastRun.status;
  if (isFinal(engagementStates, status)) return { status, run: isOver || isAnyOpen(counts) ? run : 'cancelled' };
  if (!isOver) return { status: statusByTasks(status, counts, lastRun.tasksBefore), run };
  return { status: nextRunAt === null ? byTasks : ('scheduled' as const), run };
}

/** Without an open task no task can end the run: the engagement was cancelled before its tasks were made. */
const isAnyOpen = ({ pending = 0, running = 0 }: Counts): boolean => pending + running > 0;

/**
 * Updates an engagement's status by its tasks. Harmless to repeat: every step that may end a task calls it afterwards,
 * and so does a read of an engagement that should have ended.
 */
export async function settleEngagement(table: Table, engagementId: string): Promise<Engagement | undefined> {
  // consistent: the step that ends the last task must see that no other is left
  const counts = await countTasks(table, engagementId, true);
  const current = await table.find(engagements, engagementId, true);
  if (!current || !settledChanges(current, counts)) return current;
  return modifyEngagement(table, engagementId, async (engagement) => {
    const changes = settledChanges(engagement, counts);
    if (!changes?.lastRun || isInProgress(changes.lastRun)) return changes && { changes };
    const { id, status, finishedAt, tasksBefore } = changes.lastRun;
    const run = await table.get(engagementRuns, id, true);
    const tasks = endedSince(counts, tasksBefore);
    const also = (batch: Batch) => batch.update(engagementRuns, run, table.changed(run, { status, finishedAt, tasks }));
    return { changes, also };
  });
}

/** The changes of an engagement that follow from its tasks. */
function settledChanges(engagement: Engagement, counts: Counts): Partial<Engagement> | undefined {
  const { status, run } = stateByTasks(engagement, counts);
  const { lastRun } = engagement;
  if (status === engagement.status && run === lastRun?.status) return undefined;
  const isOver = lastRun !== null && run !== undefined && run !== lastRun.status;
  const isEnded = isFinal(engagementStates, status) && status !== engagement.status;
  return {
    status,
    ...(status !== engagement.status && { startedAt: engagement.startedAt ?? now() }),
    ...(isOver && { lastRun: { ...lastRun, status: run, finishedAt: now() } }),
    ...(isEnded && { completedAt: now() }),
    ...(isEnded && status === 'failed' && { statusReason: 'No task of this engagement could be completed.' }),
  };
}

/** Starts the engagements of tasks that a scanner took. */
export async function startEngagements(table: Table, engagementIds: readonly string[]): Promise<void> {
  const found = await table.findMany(engagements, engagementIds).catch(() => []);
  const waiting = found.filter(({ status }) => status === 'scheduled');
  await Promise.all(waiting.map(({ id }) => settleQuietly(table, id)));
}

/** Ends an engagement after its last task. While tasks are left, only its counters are read. */
export const settleIfOver = (table: Table, engagementId: string): Promise<void> =>
  quietly(engagementId, async () => {
    const { pending = 0, running = 0 } = await countTasks(table, engagementId, true);
    if (pending + running === 0) await settleEngagement(table, engagementId);
  });

/**
 * Settles an engagement after a step that is done and must be answered as done. If that fails (many writers, no answer
 * of the table), the engagement is settled later: with its next lease, its last task or its next read.
 */
export const settleQuietly = (table: Table, engagementId: string): Promise<void> =>
  quietly(engagementId, () => settleEngagement(table, engagementId));

async function quietly(engagementId: string, settle: () => Promise<unknown>): Promise<void> {
  try {
    await settle();
  } catch (error) {
    log.warn('engagement not settled', { engagementId, reason: String(error) });
  }
}
