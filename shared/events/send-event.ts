import {
  afterCall,
  type Called,
  type DeliveryRow,
  newDelivery,
  sentDeliveries,
} from '#shared/platform/outgoing/delivery.ts';
import { keepDelivery } from '#shared/platform/outgoing/ledger.ts';
import type { Table } from '#shared/platform/table/table.ts';
import type { Event } from './event.ts';
import { listWithRecords } from './list-with-records.ts';

/** An event for a receiver, and how the receiver is called with the body. */
type Sent = {
  table: Table;
  /** The endpoint or the subscription. */
  targetId: string;
  event: Event;
  /** Whether an event that was sent at this time is sent again. */
  isAgain: (sentAt: string) => boolean;
  call: (body: string) => Promise<Called>;
  /** Whether the receiver is called no more after this call. */
  isOver: (called: Called) => boolean;
};

/** Sends an event, unless the receiver has it. Its row comes before the call. @returns undefined where the receiver has it */
export async function sendEvent(sent: Sent): Promise<Called | undefined> {
  const { table, targetId, event } = sent;
  const known = await table.rows(sentDeliveries).find({ targetId, id: event.id }, true);
  if (known?.status === 'sent' && known.sentAt !== null && !sent.isAgain(known.sentAt)) return undefined;
  // what was to be sent before is sent again: a receiver sees one event under an id
  const payload = known?.payload ?? JSON.stringify(event);
  const row = { ...(known ?? deliveryOf(targetId, event)), status: 'pending' as const, reason: null, payload };
  await listWithRecords(table, [{ delivery: row, subjects: [event.subject] }]);
  return callWith({ ...sent, row, known, payload });
}

type Calling = Pick<Sent, 'table' | 'call' | 'isOver'> & {
  row: DeliveryRow;
  known?: DeliveryRow | undefined;
  payload: string;
};

/** Calls with a delivery: its row is before the call, and then has what came of it. */
export async function callWith({ table, row, known, payload, call, isOver }: Calling): Promise<Called> {
  await keepDelivery(table, row, known);
  const called = await call(payload);
  await keepDelivery(table, afterCall(row, called, isOver(called)), row);
  return called;
}

const NOT_MET = 'The record does not meet the filter.';

/** Leaves an event out, because its record does not meet the filter. An event that was sent before stays so in the ledger. */
export async function skipEvent(table: Table, targetId: string, event: Event): Promise<void> {
  const known = await table.rows(sentDeliveries).find({ targetId, id: event.id }, true);
  if (known?.status === 'sent' || known?.status === 'skipped') return;
  await keepDelivery(table, { ...(known ?? deliveryOf(targetId, event)), status: 'skipped', reason: NOT_MET }, known);
}

/** The delivery of an event to an endpoint. */
const deliveryOf = (targetId: string, { id, type, subject }: Event): DeliveryRow =>
  newDelivery({ targetId, id, channel: 'webhook', type, subject, payload: null });

/** Puts an event down as it would be sent. An event that has a delivery stays as it is. */
export async function simulateEvent(table: Table, targetId: string, event: Event): Promise<void> {
  if (await table.rows(sentDeliveries).find({ targetId, id: event.id }, true)) return;
  const row = { ...deliveryOf(targetId, event), status: 'simulated' as const, payload: JSON.stringify(event) };
  await keepDelivery(table, row);
}
