import { setTimeout as wait } from 'node:timers/promises';
import { readSecret, workingSecrets } from '#shared/code/integrations/secret.ts';
import { noteHealth } from '#shared/events/health.ts';
import { type Position, positions, type ReaderKind } from '#shared/events/position.ts';
import { wakeReader } from '#shared/events/wake.ts';
import { webhookEndpoints } from '#shared/events/webhook-endpoint.ts';
import { subscriptions } from '#shared/notifications/subscription.ts';
import { isSuspended } from '#shared/platform/auth/suspension.ts';
import { type Sheet, sheetsAfter } from '#shared/platform/feed/log.ts';
import { numberChanges } from '#shared/platform/feed/number.ts';
import { elapsedMs, nowMs } from '#shared/platform/runtime/clock.ts';
import type { Context } from '#shared/platform/table/context.ts';
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
  const note: Sending['note'] = (changes) => noteHealth(table, webhookEndpoints, { id: position.readerId, changes });
  return target ? sendSheet({ ...visit, reader, target, note }, sheet) : false;
}

/** @returns undefined for an endpoint that was removed */
async function targetOf(context: Context, { id, url }: { id: string; url: string }): Promise<Target | undefined> {
  const secret = await readSecret(context, id);
  return secret && { url, secrets: workingSecrets(secret) };
}

async function workSubscriber(visit: Visit, sheet: Sheet | undefined): Promise<boolean> {
  const { table, position } = visit;
  const reader = await table.find(subscriptions, position.readerId, true);
  if (!reader?.enabled) return false;
  const note: Sending['note'] = (changes) => noteHealth(table, subscriptions, { id: reader.id, changes });
  const sending = { ...visit, reader, note };
  if (reader.endpointId === null) return workSubscription(sending, sheet);
  const endpoint = await table.find(webhookEndpoints, reader.endpointId, true);
  const target = endpoint && sheet && (await targetOf(visit, endpoint));
  return target ? sendSheet({ ...sending, target }, sheet) : false;
}

/** Waits for a call that is due within seconds. @returns false for one that is due later: its timer comes */
async function isDue({ retryAt }: Position): Promise<boolean> {
  const left = retryAt === undefined ? 0 : Date.parse(retryAt) - nowMs();
  if (left > SOON_MS) return false;
  if (left > 0) await wait(left);
  return true;
}
