import { integrations } from '#shared/entities/integration.ts';
import { type Delivery, deliveries, deliveryGroup, received } from '#shared/integrations/deliveries.ts';
import { DeliveryResult } from '#shared/integrations/result.ts';
import { outboxTimer, sendOutbox } from '#shared/jobs/outbox.ts';
import { isFinished, type QueuedResponse, queued, taskRows, taskWrite } from '#shared/jobs/task.ts';
import type { Connections } from '#shared/runtime/connections.ts';
import { conflict, notFound } from '#shared/runtime/errors.ts';
import { newId } from '#shared/runtime/ids.ts';
import type { Table } from '#shared/table/table.ts';

type Range = { before?: string | undefined; limit: number };

/** The newest deliveries before `before`, each with the state of its task. */
export async function listDeliveries(table: Table, integrationId: string, { before = '~', limit }: Range) {
  const rows = await table.rows(deliveries).query(integrationId, {
    ...{ between: { from: '0', to: before }, backward: true, limit: limit + 2 },
  });
  const older = rows.filter((row) => placeOf(row) !== before);
  const page = older.slice(0, limit);
  if (page.length === 0) await table.get(integrations, integrationId);
  const tasks = await table.rows(taskRows).findMany(page.map(({ taskId }) => ({ id: taskId })));
  const byId = new Map(tasks.map((task) => [task.id, task]));
  const last = page.at(-1);
  return {
    data: page.map(({ integrationId: _integrationId, ...delivery }) => {
      const { status = 'queued', result, error = null } = byId.get(delivery.taskId) ?? {};
      return { ...delivery, status, outcome: result ? DeliveryResult.parse(result) : null, error };
    }),
    next: older.length > limit && last ? placeOf(last) : null,
  };
}

const placeOf = ({ receivedAt, deliveryId }: Pick<Delivery, 'receivedAt' | 'deliveryId'>): string =>
  `${receivedAt}_${deliveryId}`;

type Place = { connections: Connections; table: Table };

/** Queues the task of a delivery that was worked once more. @throws not_found, conflict */
export async function replay(
  { connections, table }: Place,
  { id, deliveryId }: { id: string; deliveryId: string },
): Promise<QueuedResponse> {
  const delivery = await table.rows(received).find({ integrationId: id, deliveryId }, true);
  const task = delivery && (await table.rows(taskRows).find({ id: delivery.taskId }, true));
  if (!delivery || !task) throw notFound('delivery', deliveryId);
  if (!isFinished(task)) throw conflict(`The delivery is still ${task.status}: wait for its end.`);
  const again = { ...task, status: 'queued' as const, finishedAt: undefined, error: undefined, result: undefined };
  // the queue forgets a message of the same id for five minutes
  const send = {
    group: deliveryGroup({ integrationId: id, repository: delivery.repository }),
    deduplicationId: newId(),
  };
  const batch = table.batch();
  batch.write(taskWrite(table, task, again), outboxTimer(table, again, send));
  await batch.commit();
  await sendOutbox(connections, table, { task: again, send });
  return queued(again);
}
