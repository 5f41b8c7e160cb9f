import { postTo } from '#shared/events/call-endpoint.ts';
import { listWithRecords } from '#shared/events/list-with-records.ts';
import { callWith } from '#shared/events/send-event.ts';
import { readAddress } from '#shared/notifications/address.ts';
import { chatDelivery } from '#shared/notifications/ledger.ts';
import { dueOf, sentWrite, takenWrite, type Waiting, waitingRows } from '#shared/notifications/waiting.ts';
import { reachOf } from '#shared/platform/outgoing/ask.ts';
import { type Called, type DeliveryRow, sentDeliveries } from '#shared/platform/outgoing/delivery.ts';
import { deliveryWrites } from '#shared/platform/outgoing/ledger.ts';
import { isOver, noteFailure, noteSuccess } from './health.ts';
import type { Subscribed } from './sending.ts';

/**
 * Posts what waits for the channel of a subscription, if it is due. The message is put down as a delivery first: the channel gets the same
 * message with each repetition, and what is added meanwhile is of the next one.
 * @returns whether the visit goes on
 */
export async function postWaiting(sending: Subscribed): Promise<boolean> {
  const { position } = sending;
  const begun = (await begunOf(sending)) ?? (await begin(sending));
  const called = begun && (await post(sending, begun, (after) => isOver(position, after)));
  if (called && called.error !== null) await noteFailure({ ...sending, reached: position.seen }, called);
  else if (called || !begun) await noteSuccess(sending, called);
  return called !== undefined;
}

/** Posts a message to the channel. @returns undefined where the channel has no address any more */
export async function post(
  sending: Subscribed,
  known: DeliveryRow,
  isOver: (called: Called) => boolean,
): Promise<Called | undefined> {
  const { table, connections, reader } = sending;
  const url = await readAddress(sending, reader.id);
  if (url === undefined) return undefined;
  const { network } = reachOf(connections);
  const call = (body: string) => postTo({ network, url, body });
  const row = { ...known, status: 'pending' as const };
  const called = await callWith({ table, row, known, call, isOver });
  const waiting = await waitingOf(sending);
  if (called.error === null && waiting?.sending === known.id) await table.write(takenWrite(table, waiting));
  return called;
}

const waitingOf = ({ table, reader }: Subscribed): Promise<Waiting | undefined> =>
  table.rows(waitingRows).find({ receiverId: reader.id, source: reader.id }, true);

/** The message that the channel has not taken yet. */
async function begunOf(sending: Subscribed): Promise<DeliveryRow | undefined> {
  const row = await waitingOf(sending);
  if (row?.sending === undefined) return undefined;
  return sending.table.rows(sentDeliveries).find({ targetId: row.source, id: row.sending }, true);
}

/** Makes a message of what is due. */
async function begin({ table, connections, reader }: Subscribed): Promise<DeliveryRow | undefined> {
  const [row] = await dueOf(table, reader.id);
  if (!row) return undefined;
  const delivery = chatDelivery(row, connections.settings.BASE_URL);
  await listWithRecords(table, [{ delivery, subjects: row.lines.map(({ subject }) => subject) }]);
  await table.write(sentWrite(table, row, delivery.id), ...deliveryWrites(table, delivery));
  return delivery;
}
