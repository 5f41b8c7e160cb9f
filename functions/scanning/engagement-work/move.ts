import { outboxWrites, sendOutbox } from '#shared/platform/jobs/outbox.ts';
import { now } from '#shared/platform/runtime/clock.ts';
import { conflict } from '#shared/platform/runtime/errors.ts';
import { isFinal, nextState } from '#shared/platform/runtime/state-machine.ts';
import type { Context } from '#shared/platform/table/context.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { engagementTask } from '#shared/scanning/engagement-tasks/task.ts';
import { type Engagement, engagementOffers, engagementStates } from '#shared/scanning/engagements/engagement.ts';
import { modifyEngagement } from '#shared/scanning/engagements/modify.ts';

/** Starts an engagement without scanner tasks. @throws conflict with the status and its allowed changes */
export const startByHand = (table: Table, id: string): Promise<Engagement> =>
  modifyEngagement(table, id, (engagement) => {
    const status = movedByHand(engagement, 'start');
    return { changes: { status, statusReason: null, startedAt: engagement.startedAt ?? now() } };
  });

/** Completes an engagement without scanner tasks. A queued task ends its Apex work. */
export async function completeByHand(context: Context, id: string): Promise<Engagement> {
  const task = engagementTask(context.table.actor, 'complete_engagement', id);
  const completed = await modifyEngagement(context.table, id, (engagement) => {
    const status = movedByHand(engagement, 'complete');
    return {
      changes: { status, statusReason: null, completedAt: now(), nextRunAt: null },
      also: (batch) => batch.write(...outboxWrites(context.table, task)),
    };
  });
  await sendOutbox(context, { task });
  return completed;
}

function movedByHand(engagement: Engagement, verb: 'start' | 'complete'): Engagement['status'] {
  if (!isFinal(engagementStates, engagement.status)) assertByHand(engagement);
  return nextState(engagementStates, {
    state: engagement.status,
    verb,
    name: 'engagement',
    offers: engagementOffers(engagement),
  });
}

function assertByHand({ status, taskTypes }: Engagement): void {
  if (taskTypes.length === 0) return;
  const message = `This engagement is ${status}; its scanner tasks decide when it is running and completed.`;
  throw conflict(`${message} It can be cancelled.`);
}
