import { listWithRecords } from '#shared/events/list-with-records.ts';
import { inboxWrite } from '#shared/notifications/inbox.ts';
import { personDelivery } from '#shared/notifications/ledger.ts';
import { notificationLetter } from '#shared/notifications/letter.ts';
import { stops } from '#shared/notifications/stop.ts';
import { subscriptions } from '#shared/notifications/subscription.ts';
import { dueOf, sentWrite, type Waiting } from '#shared/notifications/waiting.ts';
import { letterTask } from '#shared/people/letter.ts';
import { type User, users } from '#shared/people/user.ts';
import { isSuspended } from '#shared/platform/auth/suspension.ts';
import { sendOutbox } from '#shared/platform/jobs/outbox.ts';
import type { TaskRow } from '#shared/platform/jobs/task.ts';
import type { DeliveryRow } from '#shared/platform/outgoing/delivery.ts';
import { deliveryWrites } from '#shared/platform/outgoing/ledger.ts';
import { now } from '#shared/platform/runtime/clock.ts';
import { isId } from '#shared/platform/runtime/ids.ts';
import { retry } from '#shared/platform/runtime/retry.ts';
import type { Context } from '#shared/platform/table/context.ts';
import type { Table } from '#shared/platform/table/table.ts';

/** Messages of so many subscriptions are one letter: a transaction has room for four writes of each. */
const AT_ONCE = 20;

/** Sends what waits for a person and is due: one letter for all of it, and a notification in the inbox for each subscription. */
export async function sendWaiting(context: Context, userId: string): Promise<void> {
  const { connections, table } = context;
  if (await isSuspended(connections.dynamo, table.organizationId)) return;
  for (;;) {
    const sent = await retry(() => sendSome(table, userId));
    if (sent.letter) await sendOutbox(context, { task: sent.letter });
    if (sent.count < AT_ONCE) return;
  }
}

/** One transaction: whatever dies, an event is in one letter. */
async function sendSome(table: Table, userId: string): Promise<{ count: number; letter: TaskRow | undefined }> {
  const due = (await dueOf(table, userId)).slice(0, AT_ONCE);
  const user = await table.find(users, userId, true);
  const wanted = user?.status === 'active' ? await withoutStopped(table, user, due) : [];
  const mailed = wanted.filter(({ channels }) => channels.includes('email'));
  const listed = wanted.map((row) => ({
    delivery: deliveryOf(row),
    subjects: row.lines.map(({ subject }) => subject),
  }));
  await listWithRecords(table, listed);
  const rows = listed.map(({ delivery }) => delivery);
  const deliveries = rows.filter(({ channel }) => channel === 'email');
  const letter =
    user && mailed.length > 0
      ? letterTask(table, { ...notificationLetter(table, user, mailed), deliveries })
      : undefined;
  const noted = wanted.filter(({ channels }) => channels.includes('inbox'));
  if (due.length > 0)
    await table.write(
      ...due.map((row) => sentWrite(table, row)),
      ...rows.flatMap((row) => deliveryWrites(table, row)),
      ...noted.map((row) => inboxWrite(table, userId, notificationOf(row))),
      ...(letter?.writes ?? []),
    );
  return { count: due.length, letter: letter?.task };
}

/** The messages that the person still wants: not of a subscription that was stopped or removed meanwhile. */
async function withoutStopped(table: Table, { id: userId }: User, due: readonly Waiting[]): Promise<Waiting[]> {
  const sources = due.map(({ source }) => source);
  const [found, present] = await Promise.all([
    table.rows(stops).findMany(
      sources.map((source) => ({ source, userId })),
      true,
    ),
    table.findMany(subscriptions, sources.filter(isId), true),
  ]);
  const stopped = new Set(found.map(({ source }) => source));
  const kept = new Set(present.map(({ id }) => id));
  return due.filter(({ source }) => !stopped.has(source) && (kept.has(source) || !isId(source)));
}

/** A message in an inbox arrives with this transaction; a letter when the worker of letters has sent it. */
function deliveryOf(row: Waiting): DeliveryRow {
  const delivery = personDelivery(row);
  return delivery.channel === 'email' ? delivery : { ...delivery, status: 'sent', sentAt: now() };
}

const notificationOf = ({ source, reason, count, lines }: Waiting) => ({
  subscriptionId: isId(source) ? source : null,
  reason,
  count,
  lines,
});
