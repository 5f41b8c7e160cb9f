import { now, nowMs } from '#shared/platform/runtime/clock.ts';
import type { Batch } from '#shared/platform/table/batch.ts';
import type { Counts } from '#shared/platform/table/counters.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { nextOccurrence } from '../schedule/recurrence.ts';
import type { Engagement } from './engagement.ts';
import { type EngagementRun, engagementRuns } from './engagement-run.ts';

type Scheduled = Pick<Engagement, 'schedule' | 'createdAt'>;

/** The first start by the schedule after a moment; null when none follows. */
export function startAfter({ schedule, createdAt }: Scheduled, moment: number): string | null {
  const startAt = schedule.startAt ?? createdAt;
  if (schedule.recurrence === null) return Date.parse(startAt) > moment ? new Date(startAt).toISOString() : null;
  const next = nextOccurrence({ ...schedule, startAt }, moment);
  return next === undefined ? null : new Date(next).toISOString();
}

/** The first start of an engagement that is approved now: at once, unless its schedule has a later start. */
export function firstStart(engagement: Scheduled): string {
  const { recurrence, startAt } = engagement.schedule;
  if (recurrence === null) return startAfter(engagement, nowMs()) ?? now();
  const isFirst = startAfter(engagement, Date.parse(startAt ?? engagement.createdAt) - 1000);
  const isNow = startAt === null && isFirst !== null && Date.parse(isFirst) <= nowMs();
  return isNow ? now() : (startAfter(engagement, nowMs()) ?? now());
}

/** Whether a current approval begins a run at once. */
export const startsNow = (engagement: Engagement): boolean =>
  engagement.status === 'approved' &&
  engagement.taskTypes.length > 0 &&
  engagement.runs === 0 &&
  Date.parse(firstStart(engagement)) <= nowMs();

type Begin = { engagement: Engagement; runId: string; taskId: string; counts: Counts; scheduledFor: string | null };

/** The changes that begin a run, and its record. */
export function beginRun(table: Table, begin: Begin) {
  const { engagement, runId, taskId, counts, scheduledFor } = begin;
  const { completed = 0, failed = 0, cancelled = 0 } = counts;
  const startedAt = now();
  const tasksBefore = { completed, failed, cancelled };
  return withRun(table, {
    engagement,
    run: { id: runId, status: 'preparing', scheduledFor, taskId, startedAt },
    changes: { lastRun: { id: runId, status: 'preparing', taskId, startedAt, finishedAt: null, tasksBefore } },
  });
}

/** The changes for a start that came during the previous run: the start is recorded as skipped. */
export const skipRun = (table: Table, { engagement, runId }: Pick<Begin, 'engagement' | 'runId'>) =>
  withRun(table, {
    engagement,
    run: {
      id: runId,
      status: 'skipped',
      statusReason: 'The run before it was not done.',
      scheduledFor: engagement.nextRunAt,
      finishedAt: now(),
    },
    changes: {},
  });

type WithRun = { engagement: Engagement; run: Partial<EngagementRun> & { id: string }; changes: Partial<Engagement> };

function withRun(table: Table, { engagement, run, changes }: WithRun) {
  const runs = engagement.runs + 1;
  const record = table.stamp<EngagementRun>({
    engagementId: engagement.id,
    number: runs,
    status: 'preparing',
    statusReason: null,
    scheduledFor: null,
    taskId: null,
    startedAt: null,
    finishedAt: null,
    tasks: { completed: 0, failed: 0, cancelled: 0 },
    ...run,
  });
  return {
    changes: { ...changes, runs, nextRunAt: startAfter(engagement, nowMs()) },
    also: (batch: Batch) => void batch.create(engagementRuns, record),
  };
}
