import {
  afterCall,
  type Called,
  type DeliveryRow,
  newDelivery,
  sentDeliveries,
} from '#shared/platform/outgoing/delivery.ts';
import { keepDelivery, putDeliveries, putPlaces } from '#shared/platform/outgoing/ledger.ts';
import type { Table } from '#shared/platform/table/table.ts';
import type { Event } from './event.ts';
import { listWithRecords } from './list-with-records.ts';

/** An event with its delivery as it is stored, and as the work on it begins. Without the latter, the stored one stays. */
type Planned = { event: Event; known: DeliveryRow | undefined; row: DeliveryRow | undefined };

type Plan = {
  /** The endpoint or the subscription. */
  targetId: string;
  /** `simulated`: nothing is called. An event that has a delivery keeps it. */
  status: 'pending' | 'simulated';
  /** Whether the record of an event meets the filter. */
  fits: (event: Event) => boolean;
  /** Whether an event that was sent at this time is sent again. */
  isAgain: (sentAt: string) => boolean;
};

/**
 * Plans what becomes of some events, with one read of all their deliveries and one write of all their places in lists. Those that are not
 * called are put down as skipped or simulated; the caller puts down the others, each before its call.
 */
export async function planDeliveries(table: Table, plan: Plan, events: readonly Event[]): Promise<Planned[]> {
  const { targetId } = plan;
  const keys = events.map(({ id }) => ({ targetId, id }));
  const found = new Map((await table.rows(sentDeliveries).findMany(keys, true)).map((row) => [row.id, row]));
  const planned = events.map((event) => {
    const known = found.get(event.id);
    return { event, known, row: beginning(plan, event, known) };
  });
  const isNew = ({ known }: Planned) => !known;
  const calls = planned.flatMap(({ event, row }) =>
    row?.status === 'pending' ? [{ delivery: row, subjects: [event.subject] }] : [],
  );
  await putPlaces(table, rowsOf(planned.filter(isNew)));
  await listWithRecords(table, calls);
  const others = planned.filter(({ row }) => row?.status !== 'pending');
  await putDeliveries(table, rowsOf(others.filter(isNew)));
  for (const { row, known } of others) if (row && known) await keepDelivery(table, row, known);
  return planned;
}

const rowsOf = (planned: readonly Planned[]): DeliveryRow[] => planned.flatMap(({ row }) => row ?? []);

const NOT_MET = 'The record does not meet the filter.';

function beginning({ targetId, status, fits, isAgain }: Plan, event: Event, known?: DeliveryRow) {
  if (known && status === 'simulated') return undefined;
  const { id, type, subject } = event;
  const row = known ?? newDelivery({ targetId, id, channel: 'webhook', type, subject, payload: null });
  const wasSent = known?.status === 'sent';
  // an event that was sent before stays so in the ledger, whatever the filter says now
  if (!fits(event)) return wasSent || known?.status === 'skipped' ? undefined : { ...row, ...SKIPPED };
  if (wasSent && known.sentAt !== null && !isAgain(known.sentAt)) return undefined;
  // what was to be sent before is sent again: a receiver sees one event under an id
  return { ...row, status, reason: null, payload: known?.payload ?? JSON.stringify(event) };
}

const SKIPPED = { status: 'skipped' as const, reason: NOT_MET };

type Calling = {
  table: Table;
  row: DeliveryRow;
  known?: DeliveryRow | undefined;
  /** How the receiver is called with the body. */
  call: (body: string) => Promise<Called>;
  /** Whether the receiver is called no more after this call. */
  isOver: (called: Called) => boolean;
};

/** Calls with a delivery: its row is before the call, and then has what came of it. */
export async function callWith({ table, row, known, call, isOver }: Calling): Promise<Called> {
  await keepDelivery(table, row, known);
  const called = await call(row.payload ?? '');
  await keepDelivery(table, afterCall(row, called, isOver(called)), row);
  return called;
}
