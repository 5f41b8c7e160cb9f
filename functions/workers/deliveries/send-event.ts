import { type Called, callEndpoint } from '#shared/events/call-endpoint.ts';
import { type DeliveryRow, webhookDeliveries } from '#shared/events/delivery.ts';
import type { Event } from '#shared/events/event.ts';
import { reachOf } from '#shared/platform/outgoing/ask.ts';
import { now } from '#shared/platform/runtime/clock.ts';
import type { Sending, Target } from './sending.ts';

/** Attempts that a delivery shows. */
const SHOWN = 10;

/** Sends an event, unless the receiver has it. @returns the call that failed */
export async function sendEvent(sending: Sending & { target: Target }, event: Event): Promise<Called | undefined> {
  const { table, connections, reader, target } = sending;
  const endpointId = reader.id;
  const rows = table.rows(webhookDeliveries);
  const known = await rows.find({ endpointId, eventId: event.id }, true);
  if (known && isSent(known, sending)) return undefined;
  // what was to be sent before is sent again: a receiver sees one event under an id
  const body = known?.payload ?? JSON.stringify(event);
  const row = { ...(known ?? newRow(endpointId, event)), status: 'pending' as const, payload: body };
  await rows.put(row);
  const { network } = reachOf(connections);
  const called = await callEndpoint({ network, ...target, eventId: event.id, body });
  await rows.put(afterCall(row, called));
  return called.error === null ? undefined : called;
}

/** A delivery with what came of a call. */
export function afterCall(row: DeliveryRow, { isGone: _isGone, retryAt: _retryAt, ...attempt }: Called): DeliveryRow {
  const isTaken = attempt.error === null;
  const attempts = [...row.attempts, attempt].slice(-SHOWN);
  return { ...row, status: isTaken ? 'sent' : 'failed', attempts, sentAt: isTaken ? attempt.at : row.sentAt };
}

/** Leaves an event out, because its record does not meet the filter. An event that was sent before stays so in the ledger. */
export async function skipEvent({ table, reader }: Sending, event: Event): Promise<void> {
  const rows = table.rows(webhookDeliveries);
  const known = await rows.find({ endpointId: reader.id, eventId: event.id }, true);
  if (known?.status !== 'sent') await rows.put({ ...(known ?? newRow(reader.id, event)), status: 'skipped' });
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
