import { setTimeout as wait } from 'node:timers/promises';
import { readSecret, signingKeys } from '#shared/code/integrations/secret.ts';
import { type Health, noteHealth } from '#shared/events/health.ts';
import { type Position, positions, type ReaderKind } from '#shared/events/position.ts';
import { wakeReader } from '#shared/events/wake.ts';
import { webhookEndpoints } from '#shared/events/webhook-endpoint.ts';
import { subscriptions } from '#shared/notifications/subscription.ts';
import { lettersToAdministrators } from '#shared/people/administrators.ts';
import { isSuspended } from '#shared/platform/auth/suspension.ts';
import { type Sheet, sheetsAfter } from '#shared/platform/feed/log.ts';
import { numberChanges } from '#shared/platform/feed/number.ts';
import { sendOutbox } from '#shared/platform/jobs/outbox.ts';
import { elapsedMs, nowMs } from '#shared/platform/runtime/clock.ts';
import { shortened } from '#shared/platform/runtime/texts.ts';
import type { Context } from '#shared/platform/table/context.ts';
import type { Entity, Stored } from '#shared/platform/table/entity.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { sendSheet } from './send-events.ts';
import type { Sending, Target } from './sending.ts';
import { workSubscription } from './work-subscription.ts';

/** A visit ends well before the function's time limit; a message of its own goes on. */
const VISIT_MS = 60_000;
/** A visit waits so long itself for a call that is due soon: the sweeper comes once a minute. */
const SOON_MS = 10_000;

type Woken = { kind: ReaderKind; readerId: string };

/** Has a reader of the log work the changes that it has not seen, in their order. */
export async function visitReader(context: Context, woken: Woken): Promise<void> {
  const { table, connections } = context;
  const end = elapsedMs() + VISIT_MS;
  await numberChanges(table);
  while (elapsedMs() < end) {
    const position = await table.rows(positions).find({ readerId: woken.readerId }, true);
    if (!position || (await isSuspended(connections.dynamo, table.organizationId))) return;
    if (!(await isDue(position))) return;
    const [sheet] = await sheetsAfter(table, position.seen, 1);
    const work = woken.kind === 'webhook' ? workEndpoint : workSubscriber;
    if (!(await work({ ...context, position, end }, sheet))) return;
  }
  await wakeReader(context, woken);
}

type Visit = Pick<Sending, 'connections' | 'table' | 'position' | 'end'>;

async function workEndpoint(visit: Visit, sheet: Sheet | undefined): Promise<boolean> {
  const { table, position } = visit;
  const reader = await table.find(webhookEndpoints, position.readerId, true);
  const target = reader?.enabled && sheet && (await targetOf(visit, reader));
  if (!reader || !target) return false;
  const note = noteOf(visit, webhookEndpoints, { ...reader, what: 'webhook endpoint' });
  return sendSheet({ ...visit, reader, target, note }, sheet);
}

/** @returns undefined for an endpoint that was removed */
async function targetOf(context: Context, { id, url }: { id: string; url: string }): Promise<Target | undefined> {
  const secret = await readSecret(context, id);
  return secret && { url, secrets: signingKeys(secret) };
}

async function workSubscriber(visit: Visit, sheet: Sheet | undefined): Promise<boolean> {
  const { table, position } = visit;
  const reader = await table.find(subscriptions, position.readerId, true);
  if (!reader?.enabled) return false;
  const note = noteOf(visit, subscriptions, { ...reader, what: 'subscription' });
  const sending = { ...visit, reader, note };
  if (reader.endpointId === null) return workSubscription(sending, sheet);
  const endpoint = await table.find(webhookEndpoints, reader.endpointId, true);
  const target = endpoint?.enabled && sheet && (await targetOf(visit, endpoint));
  return target ? sendSheet({ ...sending, target }, sheet) : false;
}

type Known = { id: string; name: string; what: string };

/** Notes the health of a reader. Administrators read in a letter that the service turned it off: no other event of it comes. */
const noteOf =
  <T extends Stored & Health>(context: Context, entity: Entity<T>, { id, name, what }: Known): Sending['note'] =>
  async (changes) => {
    const { table } = context;
    const { writes, tasks } = changes.status === 'disabled' ? await lettersAbout(table, { name, what, changes }) : NONE;
    const isNoted = await noteHealth(table, entity, { id, changes, also: writes });
    if (isNoted) for (const task of tasks) await sendOutbox(context, { task });
  };

const NONE: Awaited<ReturnType<typeof lettersToAdministrators>> = { writes: [], tasks: [] };

const lettersAbout = (table: Table, { name, what, changes }: Omit<Known, 'id'> & { changes: Partial<Health> }) =>
  lettersToAdministrators(table, {
    subject: shortened(`The ${what} "${name}" is turned off`, 200),
    paragraphs: [
      `It took no event for five days, or answered that it is gone. The last answer: ${shortened(changes.error?.message ?? '', 500)}`,
      'When you turn it on again, it gets what happened meanwhile, up to 400 days back.',
    ],
    link: { label: 'Open the service', page: '/' },
  });

/** Waits for a call that is due within seconds. @returns false for one that is due later: its timer comes */
async function isDue({ retryAt }: Position): Promise<boolean> {
  const left = retryAt === undefined ? 0 : Date.parse(retryAt) - nowMs();
  if (left > SOON_MS) return false;
  if (left > 0) await wait(left);
  return true;
}
