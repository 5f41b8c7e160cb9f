import type { Write } from '#shared/platform/table/io/commit.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { moveTimer } from '#shared/platform/timers/timers.ts';
import { nextOccurrence } from '#shared/scanning/schedule/recurrence.ts';
import type { ReportSchedule } from './report-schedule.ts';

type Times = Pick<ReportSchedule, 'startAt' | 'recurrence' | 'timeZone' | 'enabled'>;

/** The first time of a schedule after a moment; null: it is off, or over. */
export function nextTime({ startAt, recurrence, timeZone, enabled }: Times, afterMs: number): string | null {
  if (!enabled) return null;
  const first = Date.parse(startAt);
  if (first > afterMs && recurrence === null) return startAt;
  const next =
    recurrence === null
      ? undefined
      : nextOccurrence({ startAt, recurrence, timeZone }, Math.max(afterMs, first - 1000));
  return next === undefined ? null : new Date(next).toISOString();
}

const momentOf = (time: string | null | undefined): number | undefined => (time ? Date.parse(time) : undefined);

/** Moves the timer of a schedule. */
export const scheduleTimer = (
  { organizationId }: Table,
  { id, was, is }: { id: string; was?: string | null; is: string | null },
): Write[] => moveTimer({ kind: 'report', organizationId, id }, momentOf(was), momentOf(is));
