import type * as z from 'zod';
import { noteHealth } from '#shared/events/health.ts';
import { webhookEndpoints } from '#shared/events/webhook-endpoint.ts';
import { subscriptions } from '#shared/notifications/subscription.ts';
import { jobs } from '#shared/platform/jobs/jobs.ts';
import { type Failure, workerHandler } from '#shared/platform/jobs/worker.ts';
import { now } from '#shared/platform/runtime/clock.ts';
import type { Context } from '#shared/platform/table/context.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { results } from './results.ts';
import { sendWaiting } from './send-waiting.ts';
import { visitReader } from './visit.ts';

export const handler = workerHandler('deliveries', noTask, {
  results,
  visit: (context, message) => visit(context, jobs.deliveries.message.parse(message)),
  visitGivenUp: ({ table }, message, reason) => noteGivenUp(table, jobs.deliveries.message.parse(message), reason),
});

type Woken = z.infer<typeof jobs.deliveries.message>;

const visit = (context: Context, { kind, readerId, ...more }: Woken): Promise<void> =>
  kind === 'person' ? sendWaiting(context, readerId) : visitReader(context, { kind, readerId, ...more });

/** The service itself failed: the reader says so until what waits for it is taken. The notifications of a person wait for the next ones. */
async function noteGivenUp(table: Table, { kind, readerId: id }: Woken, { code, message }: Failure): Promise<void> {
  const changes = { status: 'failing' as const, error: { code, message, at: now() } };
  if (kind === 'webhook') await noteHealth(table, webhookEndpoints, { id, changes });
  if (kind === 'subscription') await noteHealth(table, subscriptions, { id, changes });
}

/** @throws Error always: the messages of this queue name readers of the log and persons */
async function noTask(): Promise<never> {
  throw new Error('the events of a reader have no task');
}
