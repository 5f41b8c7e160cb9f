import { outboxTimer, sendOutbox } from '#shared/platform/jobs/outbox.ts';
import { isFinished, type QueuedResponse, queued, taskRows, taskWrite } from '#shared/platform/jobs/task.ts';
import { conflict, notFound } from '#shared/platform/runtime/errors.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import type { Context } from '#shared/platform/table/context.ts';
import { received } from './deliveries.ts';

/** Queues the task of a delivery that was worked before. @throws not_found, conflict */
export async function replay(
  { connections, table }: Context,
  { integrationId, deliveryId }: { integrationId: string; deliveryId: string },
): Promise<QueuedResponse> {
  const delivery = await table.rows(received).find({ integrationId, deliveryId }, true);
  const task = delivery && (await table.rows(taskRows).find({ id: delivery.taskId }, true));
  if (!delivery || !task) throw notFound('delivery', deliveryId);
  if (!isFinished(task)) throw conflict(`The delivery is still ${task.status}: wait for its end.`);
  const again = { ...task, status: 'queued' as const, finishedAt: undefined, error: undefined, result: undefined };
  // the queue forgets a message of the same id for five minutes
  const send = { group: delivery.group, deduplicationId: newId() };
  await table.write(taskWrite(table, task, again), outboxTimer(table, again, send));
  await sendOutbox({ connections, table }, { task: again, send });
  return queued(again);
}
