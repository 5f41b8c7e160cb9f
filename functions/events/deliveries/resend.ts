import * as z from 'zod';
import { integrations } from '#shared/code/integrations/integration.ts';
import { wakeReader } from '#shared/events/wake.ts';
import { webhookEndpoints } from '#shared/events/webhook-endpoint.ts';
import { Line } from '#shared/notifications/inbox.ts';
import { subscriptions } from '#shared/notifications/subscription.ts';
import { addWaiting } from '#shared/notifications/waiting.ts';
import { requeue } from '#shared/platform/jobs/requeue.ts';
import { isFinished, taskRows } from '#shared/platform/jobs/task.ts';
import type { DeliveryRow } from '#shared/platform/outgoing/delivery.ts';
import { nowMs } from '#shared/platform/runtime/clock.ts';
import { conflict, notFound } from '#shared/platform/runtime/errors.ts';
import type { Context } from '#shared/platform/table/context.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { ticketingConnections } from '#shared/ticketing/ticketing-connection.ts';

/** The target of deliveries: endpoints, subscriptions, connections to Jira and integrations with code hosts. */
async function findTarget(table: Table, id: string): Promise<{ enabled: boolean } | undefined> {
  const found = await Promise.all([
    table.find(webhookEndpoints, id, true),
    table.find(subscriptions, id, true),
    table.find(ticketingConnections, id, true),
    table.find(integrations, id, true),
  ]);
  return found.find((one) => one !== undefined);
}

/** @throws not_found, conflict for a target that takes nothing now */
export async function assertTarget(table: Table, id: string): Promise<void> {
  const target = await findTarget(table, id);
  if (!target) throw notFound('webhook endpoint, subscription or connection', id);
  if (!target.enabled) throw conflict('The target is turned off: turn it on first.');
}

/** Queues a delivery once more, in the order of its target. @throws conflict, not_found */
export async function resend(context: Context, row: DeliveryRow): Promise<void> {
  const { table } = context;
  const { targetId, id, channel, payload } = row;
  if (row.work) return resendWork(context, row.work);
  if (payload === null) throw conflict('Nothing was sent: send a delivery again that has a payload.');
  if (channel === 'email' || channel === 'inbox') return resendMessage(context, row);
  const isEndpoint = (await table.find(webhookEndpoints, targetId, true)) !== undefined;
  await wakeReader(context, {
    kind: isEndpoint ? 'webhook' : 'subscription',
    readerId: targetId,
    deliveryId: id,
  });
}

/** Whether a delivery can be sent again now: its payload was kept, and no task is still at it. */
export async function mayResend(table: Table, { payload, work }: DeliveryRow): Promise<boolean> {
  if (!work) return payload !== null;
  const task = await table.rows(taskRows).find({ id: work.taskId }, true);
  return task !== undefined && isFinished(task);
}

async function resendWork(context: Context, { taskId, group }: NonNullable<DeliveryRow['work']>): Promise<void> {
  const task = await context.table.rows(taskRows).find({ id: taskId }, true);
  if (!task) throw notFound('task', taskId);
  await requeue(context, task, { group, what: 'task' });
}

const Message = z.object({ reason: z.string(), channels: z.array(z.string()), lines: z.array(Line) });

/** Its lines wait for the person again, and are due. */
async function resendMessage(context: Context, { targetId, subject, payload }: DeliveryRow): Promise<void> {
  const userId = subject.slice('user/'.length);
  const message = Message.parse(JSON.parse(payload ?? ''));
  await addWaiting(context.table, { ...message, receiverId: userId, source: targetId, dueAt: nowMs() });
  await wakeReader(context, { kind: 'person', readerId: userId });
}
