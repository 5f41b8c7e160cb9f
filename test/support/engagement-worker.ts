import { makeTasks } from '#functions/workers/engagements/make-tasks.ts';
import { newTask, type TaskRow, taskRows } from '#shared/platform/jobs/task.ts';
import type { Context } from '#shared/platform/table/context.ts';
import { Engagement, engagements } from '#shared/scanning/engagements/engagement.ts';
import { actor } from './actor.ts';

type Wanted = {
  targets: string[];
  zone?: string | null;
  taskTypes?: string[];
  scannerGroupId?: string;
  more?: object;
};

/** An engagement with hosts as targets, whose worker has run to its end. */
export async function createEngagementTask(context: Context, wanted: Wanted): Promise<Engagement> {
  const { engagement, task } = await requestEngagement(context, wanted);
  for (let made: unknown; made === undefined; ) made = await runWorker(context, task.id);
  return context.table.get(engagements, engagement.id);
}

export async function requestEngagement({ table }: Context, { targets, zone = null, more = {}, ...rest }: Wanted) {
  const draft = Engagement.partial().parse({
    title: 'Test',
    kind: 'vulnerability_scan',
    taskTypes: ['network'],
    targets: targets.map((value) => ({ type: value.includes('/') ? 'cidr' : 'host', value, zone })),
    exclusions: [],
    ...rest,
    ...more,
  });
  const engagement = await table.create(engagements, {
    ...(draft as Engagement),
    status: 'approved',
    statusReason: null,
    requestedBy: { id: 'x', name: 'x' },
    startedAt: null,
    completedAt: null,
  });
  const input = { engagementId: engagement.id };
  const task = newTask(actor(), { operation: 'create_engagement', job: 'engagements', unit: 'scanner tasks', input });
  await table.rows(taskRows).put(task);
  return { engagement, task };
}

/** One delivery of the worker's message. */
export async function runWorker({ table, connections }: Context, taskId: string) {
  const task = (await table.rows(taskRows).find({ id: taskId }, true)) as TaskRow;
  return makeTasks({ table, connections, task });
}
