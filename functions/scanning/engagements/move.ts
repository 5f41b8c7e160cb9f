import type { Caller } from '#shared/platform/auth/permissions.ts';
import { assertVersion } from '#shared/platform/http/records.ts';
import type { Operation } from '#shared/platform/jobs/operations.ts';
import { outboxWrites, sendOutbox } from '#shared/platform/jobs/outbox.ts';
import { now } from '#shared/platform/runtime/clock.ts';
import { isFinal, nextState } from '#shared/platform/runtime/state-machine.ts';
import type { Context } from '#shared/platform/table/context.ts';
import { assertMayDecide, assertSecondPerson, withBeyond } from '#shared/scanning/engagement-tasks/rules.ts';
import { engagementTask } from '#shared/scanning/engagement-tasks/task.ts';
import {
  type Engagement,
  type EngagementVerb,
  engagementOffers,
  engagementStates,
} from '#shared/scanning/engagements/engagement.ts';
import { type EngagementUpdate, modifyEngagement } from '#shared/scanning/engagements/modify.ts';
import { startsNow } from '#shared/scanning/engagements/runs.ts';
import { takeTaskPlaces } from '#shared/scanning/scanner-tasks/places.ts';

export type EngagementCall = Context & { caller: Caller; id: string };
/** `read`: the version that the caller decides about. */
type StatusChange = { verb: EngagementVerb; reason: string | null; operation?: Operation; read?: VersionCheck };
type VersionCheck = { body: object; ifMatch: string | undefined };

/** @throws conflict with the status and its allowed changes, or with the present engagement for another version */
export async function moveEngagement(
  at: EngagementCall,
  { verb, reason, operation, read }: StatusChange,
): Promise<Engagement> {
  const { table, connections, id } = at;
  const task = operation === undefined ? undefined : engagementTask(table.actor, operation, id);
  const moved = await modifyEngagement(table, id, async (engagement): Promise<EngagementUpdate> => {
    if (read) assertVersion(engagement, read.body, read.ifMatch);
    const status = nextState(engagementStates, {
      state: engagement.status,
      verb,
      name: 'engagement',
      offers: engagementOffers(engagement),
    });
    const decision = verb === 'approve' || verb === 'reject' ? await decide(at, engagement, { verb, reason }) : {};
    const ended = isFinal(engagementStates, status) && { completedAt: now(), nextRunAt: null };
    return {
      changes: { status, statusReason: verb === 'approve' ? null : reason, ...ended, ...decision },
      also: async (batch) => {
        if (task) batch.write(...outboxWrites(table, task));
        const engaged = { ...engagement, status };
        if (task && startsNow(engaged)) await takeTaskPlaces(table, batch, { taskId: task.id, engagement: engaged });
      },
    };
  });
  if (task) await sendOutbox({ connections, table }, { task });
  return moved;
}

/** The changes by which a decision is remembered. @throws insufficient_scope when only an administrator may decide, conflict */
async function decide(
  { table, caller }: EngagementCall,
  engagement: Engagement,
  { verb, reason }: { verb: 'approve' | 'reject'; reason: string | null },
) {
  const asked = await withBeyond(table, engagement);
  assertMayDecide(caller, asked);
  if (verb === 'reject') return {};
  await assertSecondPerson(table, caller, engagement);
  const { id, name } = caller;
  return {
    approvedCredentialIds: asked.beyond,
    approvedAt: engagement.approvedAt ?? now(),
    approvedBy: { id, name, reason },
  };
}
