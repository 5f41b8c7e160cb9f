import { callEndpoint } from '#shared/events/call-endpoint.ts';
import { positions, type ReaderKind } from '#shared/events/position.ts';
import { callWith } from '#shared/events/send-event.ts';
import { reachOf } from '#shared/platform/outgoing/ask.ts';
import { sentDeliveries } from '#shared/platform/outgoing/delivery.ts';
import type { Context } from '#shared/platform/table/context.ts';
import { noteSuccess } from './health.ts';
import { openReader } from './open-reader.ts';
import { post } from './post-waiting.ts';
import type { Sending } from './sending.ts';

type Again = { kind: ReaderKind; readerId: string; deliveryId: string };

/** Sends a delivery of a reader again, as somebody asked. A reader that takes it is well again, and its visit goes on. */
export async function sendAgain(
  context: Context & Pick<Sending, 'end' | 'apart'>,
  { kind, readerId, deliveryId }: Again,
): Promise<void> {
  const { table, connections } = context;
  const position = await table.rows(positions).find({ readerId }, true);
  const known = await table.rows(sentDeliveries).find({ targetId: readerId, id: deliveryId }, true);
  const opened = position && (await openReader({ ...context, position }, kind));
  if (!opened || !known || known.payload === null) return;
  // the reader repeats its next event by itself, and no other
  const isOver = () => known.status !== 'failed';
  if ('subscribed' in opened) {
    const called = await post(opened.subscribed, known, isOver);
    if (called?.error === null) await noteSuccess(opened.subscribed, called);
    return;
  }
  const { target } = opened.sending;
  const { network } = reachOf(connections);
  const call = (body: string) => callEndpoint({ network, ...target, eventId: known.id, body });
  const called = await callWith({ table, row: { ...known, status: 'pending' }, known, call, isOver });
  if (called.error === null) await noteSuccess(opened.sending, called);
}
