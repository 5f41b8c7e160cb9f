import { setTimeout as wait } from 'node:timers/promises';
import { readSecret, workingSecrets } from '#shared/code/integrations/secret.ts';
import { isWanted } from '#shared/events/catalogue.ts';
import { type Position, positions } from '#shared/events/delivery.ts';
import { type Event, eventsOf } from '#shared/events/event.ts';
import { matchingOf } from '#shared/events/matching.ts';
import { wakeEndpoint } from '#shared/events/wake.ts';
import { webhookEndpoints } from '#shared/events/webhook-endpoint.ts';
import { isSuspended } from '#shared/platform/auth/suspension.ts';
import { announcedIn, type Sheet, sheetsAfter } from '#shared/platform/feed/log.ts';
import { numberChanges } from '#shared/platform/feed/number.ts';
import { elapsedMs, now, nowMs } from '#shared/platform/runtime/clock.ts';
import { ApiError, Overtaken } from '#shared/platform/runtime/errors.ts';
import type { Context } from '#shared/platform/table/context.ts';
import { noteFailure, noteSuccess } from './health.ts';
import { sendEvent, skipEvent } from './send-event.ts';
import type { Sending } from './sending.ts';

/** A visit ends well before the function's time limit; a message of its own goes on. */
const VISIT_MS = 60_000;
/** A visit waits so long itself for a call that is due soon: the sweeper comes once a minute. */
const SOON_MS = 10_000;

/**
 * Sends an endpoint the events that it does not have, in their order. The first that it does not take ends the visit: the others wait behind it, and its
 * time of the next call is set. Each event has a row before it is sent, so that a worker that dies repeats at most one call, with the same id.
 */
export async function sendEvents(context: Context, endpointId: string): Promise<void> {
  const { table, connections } = context;
  const end = elapsedMs() + VISIT_MS;
  await numberChanges(table);
  while (elapsedMs() < end) {
    const endpoint = await table.find(webhookEndpoints, endpointId, true);
    const position = await table.rows(positions).find({ endpointId }, true);
    if (!endpoint?.enabled || !position || (await isSuspended(connections.dynamo, table.organizationId))) return;
    if (!(await isDue(position))) return;
    const [sheet] = await sheetsAfter(table, position.seen, 1);
    if (!sheet) return;
    const secret = await readSecret(context, endpointId);
    if (!secret) return;
    const sending = { ...context, endpoint, position, secrets: workingSecrets(secret), end };
    if (!(await sendSheet(sending, sheet))) return;
  }
  await wakeEndpoint(context, endpointId);
}

/** Waits for a call that is due within seconds. @returns false for one that is due later: its timer comes */
async function isDue({ retryAt }: Position): Promise<boolean> {
  const left = retryAt === undefined ? 0 : Date.parse(retryAt) - nowMs();
  if (left > SOON_MS) return false;
  if (left > 0) await wait(left);
  return true;
}

/** Sends the events of a sheet of the log. @returns whether the visit goes on */
async function sendSheet(sending: Sending, sheet: Sheet): Promise<boolean> {
  const { table, endpoint, position } = sending;
  const changes = announcedIn(sheet).filter(({ number }) => number > position.seen);
  const events = changes
    .flatMap((change) => eventsOf(table.organizationId, change))
    .filter(({ type }) => isWanted(endpoint.types, type));
  const fits = await fitting(sending, events);
  if (!fits) return false;
  for (const event of events) {
    const reached = Number(event.sequence) - 1;
    if (elapsedMs() > sending.end) return keep(sending, reached);
    if (!fits(event)) {
      await skipEvent(sending, event);
      continue;
    }
    const failed = await sendEvent(sending, event);
    if (failed) {
      await noteFailure({ ...sending, reached }, failed);
      return true;
    }
    await noteSuccess(sending);
  }
  return keep(sending, changes.at(-1)?.number ?? position.seen);
}

/** A filter that is none any more lets nothing through: the endpoint says so and waits. */
async function fitting(sending: Sending, events: readonly Event[]): Promise<((event: Event) => boolean) | undefined> {
  try {
    return await matchingOf(sending.table, sending.endpoint, events);
  } catch (error) {
    if (!(error instanceof ApiError) || error instanceof Overtaken) throw error;
    const failed = {
      at: now(),
      status: null,
      error: `The filter cannot be evaluated: ${error.message}`,
      milliseconds: 0,
    };
    await noteFailure({ ...sending, reached: sending.position.seen }, { ...failed, isGone: false });
    return undefined;
  }
}

/** Keeps how far the events are sent. @returns false: somebody else moved the position, for example to send some again */
async function keep({ table, position }: Sending, reached: number): Promise<boolean> {
  const { endpointId, seen } = position;
  return table.rows(positions).set({ endpointId }, { seen: Math.max(reached, seen) }, { seen });
}
