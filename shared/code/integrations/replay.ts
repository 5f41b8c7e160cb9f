import { requeue } from '#shared/platform/jobs/requeue.ts';
import { type QueuedResponse, taskRows } from '#shared/platform/jobs/task.ts';
import { notFound } from '#shared/platform/runtime/errors.ts';
import type { Context } from '#shared/platform/table/context.ts';
import { received } from './deliveries.ts';

/** Queues the task of a delivery that was worked before. @throws not_found, conflict */
export async function replay(
  context: Context,
  { integrationId, deliveryId }: { integrationId: string; deliveryId: string },
): Promise<QueuedResponse> {
  const { table } = context;
  const delivery = await table.rows(received).find({ integrationId, deliveryId }, true);
  const task = delivery && (await table.rows(taskRows).find({ id: delivery.taskId }, true));
  if (!delivery || !task) throw notFound('delivery', deliveryId);
  return requeue(context, task, { group: delivery.group, what: 'delivery' });
}
