import { now } from '#shared/clock.ts';
import { type Engagement, engagementStates } from '#shared/entities/engagement.ts';
import { conflict } from '#shared/http/errors.ts';
import { modifyEngagement } from '#shared/scanning/engagement-moves.ts';
import { isFinal, nextState } from '#shared/state-machine.ts';
import type { Table } from '#shared/table/table.ts';

/** One that scanners work is moved by its tasks. @throws conflict naming the state and what it allows */
export const moveByHand = (table: Table, id: string, verb: 'start' | 'complete'): Promise<Engagement> =>
  modifyEngagement(table, id, (engagement) => {
    if (!isFinal(engagementStates, engagement.status)) assertByHand(engagement);
    const status = nextState(engagementStates, { state: engagement.status, verb, name: 'engagement' });
    const started = { startedAt: engagement.startedAt ?? now() };
    const times = verb === 'start' ? started : { completedAt: now(), nextRunAt: null };
    return { changes: { status, statusReason: null, ...times } };
  });

function assertByHand({ status, taskTypes }: Engagement): void {
  if (taskTypes.length === 0) return;
  const message = `This engagement is ${status}; its scanner tasks decide when it is running and completed.`;
  throw conflict(`${message} It can be cancelled.`);
}
