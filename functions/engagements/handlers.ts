import { type Engagement, engagements } from '#shared/entities/engagement.ts';
import type { Call, Handlers } from '#shared/http/route.ts';
import { newTask, queued } from '#shared/jobs/task.ts';
import { outboxWrites, sendOutbox } from '#shared/scanning/outbox.ts';
import { checkScope } from './check-scope.ts';
import type { engagementRoutes } from './routes.ts';
import { showEngagement, withCounts } from './show.ts';

/** The engagement and the task that makes its scanner tasks are written together; then the message is sent. */
async function createEngagement({ table, caller, body, ports }: Call<typeof engagementRoutes.createEngagement>) {
  const scope = checkScope(body);
  const [id = ''] = await table.reserve(engagements, 1);
  const task = newTask(table.actor.id, {
    operation: 'create_engagement',
    job: 'engagements',
    unit: 'scanner tasks',
    input: { engagementId: id },
    resource: { type: 'engagement', id },
  });
  const batch = table.batch();
  batch.create(
    engagements,
    table.stamp<Engagement>({
      ...body,
      ...scope,
      id,
      status: 'requested',
      statusReason: null,
      requestedBy: { id: caller.id, name: caller.name },
      startedAt: null,
      completedAt: null,
    }),
  );
  batch.write(...outboxWrites(table, task));
  await batch.commit();
  await sendOutbox(ports, table, { task });
  return queued(task);
}

export const engagementHandlers: Handlers<typeof engagementRoutes> = {
  async listEngagements({ table, query }) {
    const page = await table.list(engagements, query);
    return { ...page, data: await withCounts(table, page.data) };
  },
  createEngagement,
  getEngagement: async ({ table, params }) => showEngagement(table, await table.get(engagements, params.id)),
};
