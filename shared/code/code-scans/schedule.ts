import { nowMs } from '#shared/platform/runtime/clock.ts';
import type { Write } from '#shared/platform/table/io/commit.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { moveTimer } from '#shared/platform/timers/timers.ts';
import { nextOccurrence, recurrenceProblem } from '#shared/scanning/schedule/recurrence.ts';
import type { Repository } from '../repositories/repository.ts';

type Scheduled = Pick<Repository, 'nextScanAt' | 'scheduledAt'> & {
  scanPolicy: Pick<Repository['scanPolicy'], 'schedule'>;
};

const timed = (recurrence: string, startAt: string) => ({ recurrence, startAt, timeZone: 'UTC' });

/** The problem with the schedule of a policy that is set now. */
export const scheduleProblem = ({ schedule }: Scheduled['scanPolicy']): string | undefined =>
  recurrenceProblem({ ...timed('', new Date(nowMs()).toISOString()), recurrence: schedule }, nowMs());

/** The time of the next scan by a schedule; null: none. */
export function nextScan({ scanPolicy: { schedule }, scheduledAt }: Scheduled): string | null {
  if (schedule == null || scheduledAt == null) return null;
  const next = nextOccurrence(timed(schedule, scheduledAt), nowMs());
  return next === undefined ? null : new Date(next).toISOString();
}

type Moved = Pick<Repository, 'id' | 'nextScanAt'>;

/** The writes that move the timer of a repository's next scan. */
export const scanTimerWrites = ({ organizationId }: Table, { id, nextScanAt }: Moved, next: string | null): Write[] =>
  moveTimer({ kind: 'scan-start', organizationId, id }, momentOf(nextScanAt), momentOf(next));

const momentOf = (at: string | null | undefined): number | undefined => (at == null ? undefined : Date.parse(at));
