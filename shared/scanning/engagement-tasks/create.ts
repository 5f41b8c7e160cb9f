import type { Caller } from '#shared/platform/auth/permissions.ts';
import { outboxWrites, sendOutbox } from '#shared/platform/jobs/outbox.ts';
import { type QueuedResponse, queued } from '#shared/platform/jobs/task.ts';
import { now } from '#shared/platform/runtime/clock.ts';
import { retry } from '#shared/platform/runtime/retry.ts';
import type { Batch } from '#shared/platform/table/batch.ts';
import type { Context } from '#shared/platform/table/context.ts';
import { type Engagement, type EngagementCreate, engagements } from '../engagements/engagement.ts';
import { assertFits, checkPeople, createParts } from '../engagements/people.ts';
import { startsNow } from '../engagements/runs.ts';
import { referenceWrites } from '../scan-credentials/uses.ts';
import { checkScope } from '../scanner-tasks/check-scope.ts';
import { assertPlacement } from '../scanner-tasks/placement.ts';
import { takeTaskPlaces } from '../scanner-tasks/places.ts';
import { assertRetest, checkPlan, needsDecision, withBeyond } from './rules.ts';
import { engagementTask } from './task.ts';

type Creation = Context & { caller: Caller; body: EngagementCreate } & {
  /**
   * Further changes with the engagement. They are made again, from the current records, when another writer was faster.
   */
  beside?: (batch: Batch, engagement: Engagement) => Promise<void>;
};

/** Writes the engagement together with the task that makes its scanner tasks, then sends the message. */
export async function createEngagement(call: Creation): Promise<QueuedResponse> {
  const { table, caller, body, connections } = call;
  const scope = await withBeyond(table, checkScope(body));
  await assertPlacement(table, scope);
  checkPlan(body);
  await assertRetest(table, body);
  await checkPeople({ table, caller }, body);
  const [id = ''] = await table.reserve(engagements, 1);
  const task = engagementTask(table.actor, 'create_engagement', id);
  const engagement = newEngagement(call, id, scope);
  await retry(async () => {
    const batch = table.batch();
    batch.create(engagements, engagement);
    await createParts(table, batch, engagement);
    batch.write(...referenceWrites(table.tenant, id, [...new Set(body.credentialIds)]), ...outboxWrites(table, task));
    if (startsNow(engagement)) await takeTaskPlaces(table, batch, { taskId: task.id, engagement });
    await call.beside?.(batch, engagement);
    assertFits(batch);
    await batch.commit();
  });
  await sendOutbox({ connections, table }, { task });
  return queued(task);
}

type Scope = Awaited<ReturnType<typeof withBeyond<EngagementCreate>>>;

function newEngagement({ table, caller, body }: Creation, id: string, scope: Scope): Engagement {
  const person = { id: caller.id, name: caller.name };
  const waits = needsDecision(caller, scope);
  return table.stamp<Engagement>({
    ...body,
    targets: scope.targets,
    exclusions: scope.exclusions,
    id,
    status: waits ? 'requested' : 'approved',
    statusReason: null,
    requestedBy: person,
    plannedBy: person,
    ...(!waits && { approvedAt: now() }),
    ...(!waits && caller.kind !== 'api_key' && { approvedBy: { ...person, reason: null } }),
    nextRunAt: null,
    runs: 0,
    lastRun: null,
    wakeAt: null,
    startedAt: null,
    completedAt: null,
  });
}
