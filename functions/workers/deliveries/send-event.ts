import { type Called, callEndpoint } from '#shared/events/call-endpoint.ts';
import { type DeliveryRow, webhookDeliveries } from '#shared/events/delivery.ts';
import type { Event } from '#shared/events/event.ts';
import { reachOf } from '#shared/platform/outgoing/ask.ts';
import { now } from '#shared/platform/runtime/clock.ts';
import type { Sending } from './sending.ts';

/** Attempts that a delivery shows. */
const SHOWN = 10;

/** Sends an event, unless the endpoint has it. @returns the call that failed */
export async function sendEvent(sending: Sending, event: Event): Promise<Called | undefined> {
  const { table, connections, endpoint, secrets } = sending;
  const { id: endpointId, url } = endpoint;
  const rows = table.rows(webhookDeliveries);
  const known = await rows.find({ endpointId, eventId: event.id }, true);
  if (known && isSent(known, sending)) return undefined;
  // what was to be sent before is sent again: a receiver sees one event under an id
  const body = known?.payload ?? JSON.stringify(event);
  const row = { ...(known ?? newRow(endpointId, event)), status: 'pending' as const, payload: body };
  await rows.put(row);
  const { network } = reachOf(connections);
  const called = await callEndpoint({ network, url, secrets, eventId: event.id, body });
  const { isGone: _isGone, retryAt: _retryAt, ...attempt } = called;
  const isTaken = called.error === null;
  await rows.put({
    ...row,
    status: isTaken ? 'sent' : 'failed',
    attempts: [...row.attempts, attempt].slice(-SHOWN),
    sentAt: isTaken ? called.at : row.sentAt,
  });
  return isTaken ? undefined : called;
}

/** Leaves an event out, because its record does not meet the filter. An event that was sent before stays so in the ledger. */
export async function skipEvent({ table, endpoint }: Sending, event: Event): Promise<void> {
  const rows = table.rows(webhookDeliveries);
  const known = await rows.find({ endpointId: endpoint.id, eventId: event.id }, true);
  if (known?.status !== 'sent') await rows.put({ ...(known ?? newRow(endpoint.id, event)), status: 'skipped' });
}

const isSent = ({ status, sentAt }: DeliveryRow, { position }: Sending): boolean =>
  status === 'sent' && !(position.againFrom !== undefined && sentAt !== null && sentAt < position.againFrom);

const newRow = (endpointId: string, { id, type, subject }: Event): DeliveryRow => ({
  endpointId,
  eventId: id,
  type,
  subject,
  status: 'pending',
  attempts: [],
  createdAt: now(),
  sentAt: null,
  payload: null,
});
