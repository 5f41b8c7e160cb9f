import type { Caller } from '#shared/auth/permissions.ts';
import { now } from '#shared/clock.ts';
import { type Engagement, type EngagementVerb, engagementStates } from '#shared/entities/engagement.ts';
import { conflict } from '#shared/http/errors.ts';
import type { Ports } from '#shared/ports.ts';
import { type Decision, modifyEngagement } from '#shared/scanning/engagement-moves.ts';
import { outboxWrites, sendOutbox } from '#shared/scanning/outbox.ts';
import { isFinal, nextState } from '#shared/state-machine.ts';
import type { Table } from '#shared/table/table.ts';
import { engagementTask } from './create.ts';
import { assertMayDecide } from './rules.ts';

export type Moving = { table: Table; ports: Ports; caller: Caller; id: string };
type Move = { verb: EngagementVerb; reason: string | null; operation?: string };

/** @throws conflict naming the state and what it allows */
export async function moveEngagement(at: Moving, { verb, reason, operation }: Move): Promise<Engagement> {
  const { table, ports, caller, id } = at;
  const task = operation === undefined ? undefined : engagementTask(table, operation, id);
  const moved = await modifyEngagement(table, id, (engagement): Decision => {
    const status = nextState(engagementStates, { state: engagement.status, verb, name: 'engagement' });
    if (verb === 'approve' || verb === 'reject') assertMayDecide(caller, engagement);
    const ended = isFinal(engagementStates, status) && { completedAt: now(), nextRunAt: null };
    const started = status === 'running' && { startedAt: engagement.startedAt ?? now() };
    return {
      changes: { status, statusReason: reason, ...ended, ...started },
      also: (batch) => void (task && batch.write(...outboxWrites(table, task))),
    };
  });
  if (task) await sendOutbox(ports, table, { task });
  return moved;
}

/** One that scanners work is moved by its tasks. */
export async function moveByHand(at: Moving, engagement: Engagement, verb: 'start' | 'complete'): Promise<Engagement> {
  if (engagement.taskTypes.length > 0) {
    const message = `This engagement is ${engagement.status}; its scanner tasks decide when it is running and completed.`;
    throw conflict(`${message} It can be cancelled.`);
  }
  return moveEngagement(at, { verb, reason: null });
}
