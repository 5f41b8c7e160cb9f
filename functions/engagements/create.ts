import { startsNow } from '#shared/engagements/runs.ts';
import { engagementTask } from '#shared/engagements/task.ts';
import { type Engagement, engagements } from '#shared/entities/engagement.ts';
import type { Call } from '#shared/http/route.ts';
import { outboxWrites, sendOutbox } from '#shared/jobs/outbox.ts';
import { queued } from '#shared/jobs/task.ts';
import { retry } from '#shared/runtime/retry.ts';
import { referenceWrites } from '#shared/scan-credentials/uses.ts';
import { checkScope } from '#shared/scanner-tasks/check-scope.ts';
import { assertPlacement } from '#shared/scanner-tasks/placement.ts';
import { takeTaskPlaces } from '#shared/scanner-tasks/places.ts';
import { assertFits, checkPeople, createParts } from './people.ts';
import type { engagementRoutes } from './routes.ts';
import { assertRetest, checkPlan, needsDecision, withBeyond } from './rules.ts';

/** Writes the engagement together with the task that makes its scanner tasks, then sends the message. */
export async function createEngagement(call: Call<typeof engagementRoutes.createEngagement>) {
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
    batch.write(...referenceWrites(table.scope, id, [...new Set(body.credentialIds)]), ...outboxWrites(table, task));
    if (startsNow(engagement)) await takeTaskPlaces(table, batch, { taskId: task.id, engagement });
    assertFits(batch);
    await batch.commit();
  });
  await sendOutbox(connections, table, { task });
  return queued(task);
}

type Scope = Awaited<ReturnType<typeof withBeyond<Requested>>>;
type Requested = Call<typeof engagementRoutes.createEngagement>['body'];

function newEngagement(
  { table, caller, body }: Call<typeof engagementRoutes.createEngagement>,
  id: string,
  scope: Scope,
): Engagement {
  const person = { id: caller.id, name: caller.name };
  return table.stamp<Engagement>({
    ...body,
    targets: scope.targets,
    exclusions: scope.exclusions,
    id,
    status: needsDecision(caller, scope) ? 'requested' : 'approved',
    statusReason: null,
    requestedBy: person,
    plannedBy: person,
    nextRunAt: null,
    runs: 0,
    lastRun: null,
    wakeAt: null,
    startedAt: null,
    completedAt: null,
  });
}
