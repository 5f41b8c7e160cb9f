import type { Called } from '#shared/events/call-endpoint.ts';
import { GIVE_UP_SECONDS, type Position, positionWrites, retryTime } from '#shared/events/delivery.ts';
import { type WebhookEndpoint, webhookEndpoints } from '#shared/events/webhook-endpoint.ts';
import type { Failure } from '#shared/platform/jobs/worker.ts';
import { inSeconds, now } from '#shared/platform/runtime/clock.ts';
import { random } from '#shared/platform/runtime/random.ts';
import { isConflict, retry } from '#shared/platform/runtime/retry.ts';
import type { Table } from '#shared/platform/table/table.ts';
import type { Sending } from './sending.ts';

/** The endpoint took an event: its failures are over. */
export async function noteSuccess({ table, position, endpoint }: Sending): Promise<void> {
  if (position.failures > 0) await move(table, position, { failures: 0, failingSince: undefined, retryAt: undefined });
  if (endpoint.status !== 'failing') return;
  await change(table, endpoint.id, () => ({ status: 'active', error: null }));
  endpoint.status = 'active';
}

/**
 * The endpoint did not take the event after the number `reached`. Sets the time of the next call; after five days of failures, or when
 * the endpoint is gone, turns the endpoint off.
 */
export async function noteFailure(
  { table, position, endpoint, reached }: Sending & { reached: number },
  { at, error, isGone, retryAt }: Called,
): Promise<void> {
  const failures = position.failures + 1;
  const failingSince = position.failingSince ?? at;
  const isOver = isGone || failingSince < inSeconds(-GIVE_UP_SECONDS);
  await move(table, position, {
    seen: Math.max(reached, position.seen),
    failures,
    failingSince,
    retryAt: isOver ? undefined : retryTime(failures, random(), retryAt),
  });
  const code = isGone ? 'gone' : 'not_taken';
  const problem = { code, message: error ?? '', at };
  await change(table, endpoint.id, () =>
    isOver ? { enabled: false, status: 'disabled', error: problem } : { status: 'failing', error: problem },
  );
}

/** The service itself failed: the endpoint says so until its next event is taken. */
export const noteGivenUp = (table: Table, endpointId: string, { code, message }: Failure): Promise<void> =>
  change(table, endpointId, () => ({ status: 'failing', error: { code, message, at: now() } }));

/** Moves the position with the timer of its next call. */
async function move(table: Table, position: Position, changes: Partial<Position>): Promise<void> {
  await table.write(...positionWrites(table, position, changes));
  Object.assign(position, changes);
}

const change = (table: Table, id: string, changes: () => Partial<WebhookEndpoint>): Promise<void> =>
  retry(async () => {
    const endpoint = await table.find(webhookEndpoints, id, true);
    if (endpoint?.enabled) await table.update(webhookEndpoints, endpoint, changes());
  }, isConflict);
