import { nowMs } from '#shared/platform/runtime/clock.ts';
import { retry } from '#shared/platform/runtime/retry.ts';
import { isFinal } from '#shared/platform/runtime/state-machine.ts';
import type { Batch } from '#shared/platform/table/batch.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { putTimer, removeTimer } from '#shared/platform/timers/timers.ts';
import { nextBoundary } from '../schedule/windows.ts';
import { type Engagement, engagementStates, engagements } from './engagement.ts';
import { endPartsOfStaff } from './people.ts';

type Run = Engagement['lastRun'];

/** Whether the tasks of a run are being made, or some have not ended. */
export const isInProgress = (run: Run): boolean => run?.status === 'preparing' || run?.status === 'running';

/** When the scheduler reads an engagement again: at its next start, and during a run when a window opens or closes. */
function wakeOf({ status, nextRunAt, windows, lastRun }: Engagement): string | null {
  if (status === 'requested' || isFinal(engagementStates, status)) return null;
  const boundary = isInProgress(lastRun) ? nextBoundary(windows, nowMs()) : undefined;
  const times = [nextRunAt === null ? Number.POSITIVE_INFINITY : Date.parse(nextRunAt), boundary ?? Infinity];
  const first = Math.min(...times);
  return Number.isFinite(first) ? new Date(first).toISOString() : null;
}

const isEnded = ({ status }: Engagement): boolean => isFinal(engagementStates, status);

type EngagementChange = { engagement: Engagement; changes: Partial<Engagement> };

/** Puts a change of an engagement into a batch, with the timer that wakes the scheduler. */
export function changeEngagement(batch: Batch, table: Table, { engagement, changes }: EngagementChange): Engagement {
  const wakeAt = wakeOf({ ...engagement, ...changes });
  if (wakeAt !== engagement.wakeAt) {
    if (engagement.wakeAt) batch.write(removeTimer(timerOf(table, engagement.id, engagement.wakeAt)));
    if (wakeAt) batch.write(putTimer(timerOf(table, engagement.id, wakeAt)));
  }
  return batch.update(engagements, engagement, table.changed(engagement, { ...changes, wakeAt }));
}

const timerOf = ({ organizationId }: Table, id: string, at: string) => ({
  kind: 'engagement' as const,
  at: Date.parse(at),
  organizationId,
  id,
});

/** The changes of an engagement, and further writes of the same transaction. Undefined: nothing changes. */
export type EngagementUpdate =
  | { changes: Partial<Engagement>; also?: (batch: Batch, next: Engagement) => unknown }
  | undefined;

/** Changes an engagement by a decision about its present state; a conflict repeats both. @throws not_found */
export async function modifyEngagement(
  table: Table,
  id: string,
  decide: (engagement: Engagement) => EngagementUpdate | Promise<EngagementUpdate>,
): Promise<Engagement> {
  return retry(async () => {
    const engagement = await table.get(engagements, id, true);
    const decision = await decide(engagement);
    if (!decision) return engagement;
    const batch = table.batch();
    const next = changeEngagement(batch, table, { engagement, changes: decision.changes });
    await decision.also?.(batch, next);
    if (isEnded(next) && !isEnded(engagement)) await endPartsOfStaff(table, batch, next);
    await batch.commit();
    return next;
  });
}
