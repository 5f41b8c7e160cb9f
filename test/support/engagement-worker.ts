import { makeTasks } from '#functions/workers/engagements/make-tasks.ts';
import { newTask, type TaskRow, taskRows } from '#shared/platform/jobs/task.ts';
import type { Connections } from '#shared/platform/runtime/connections.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { Engagement, engagements } from '#shared/scanning/engagements/engagement.ts';
import { actor } from './actor.ts';

type Inside = { table: Table; connections: Connections };
type Wanted = {
  targets: string[];
  zone?: string | null;
  taskTypes?: string[];
  scannerGroupId?: string;
  more?: object;
};

/** An engagement with hosts as targets, whose worker has run to its end. */
export async function createEngagementTask(inside: Inside, wanted: Wanted): Promise<Engagement> {
  const { engagement, task } = await requestEngagement(inside, wanted);
  for (let made: unknown; made === undefined; ) made = await runWorker(inside, task.id);
  return inside.table.get(engagements, engagement.id);
}

export async function requestEngagement({ table }: Inside, { targets, zone = null, more = {}, ...rest }: Wanted) {
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
export async function runWorker({ table, connections }: Inside, taskId: string) {
  const task = (await table.rows(taskRows).find({ id: taskId }, true)) as TaskRow;
  return makeTasks({ table, connections, task });
}
