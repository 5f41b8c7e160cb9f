import type { Connections } from '#shared/platform/runtime/connections.ts';
import { systemActor } from '#shared/platform/table/actor.ts';
import type { Context } from '#shared/platform/table/context.ts';
import { GLOBAL_SCOPE } from '#shared/platform/table/layout/keys.ts';
import { openTable } from '#shared/platform/table/table.ts';
import { type Timer, timers } from '#shared/platform/timers/timers.ts';

/** A timer that is due, with the table of its organization. Changes name the kind of the timer as their cause. */
export type Due = Context & {
  timer: Timer;
  /** Removes the timer: its record is gone, has another timer, or needs no more work. */
  drop: () => Promise<void>;
};

export const dueOf = (connections: Connections, timer: Timer): Due => ({
  connections,
  table: openTable(connections.dynamo, timer.organizationId, {
    ...systemActor,
    cause: { operation: `timer-${timer.kind}` },
  }),
  timer,
  async drop() {
    await openTable(connections.dynamo, GLOBAL_SCOPE).rows(timers).remove(timer);
  },
});
