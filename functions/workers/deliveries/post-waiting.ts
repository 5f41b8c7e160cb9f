import { postTo } from '#shared/events/call-endpoint.ts';
import { webhookDeliveries } from '#shared/events/delivery.ts';
import { readAddress } from '#shared/notifications/address.ts';
import { slackMessage, teamsMessage } from '#shared/notifications/chat.ts';
import { messageRow } from '#shared/notifications/ledger.ts';
import { dueOf, sentWrite } from '#shared/notifications/waiting.ts';
import { reachOf } from '#shared/platform/outgoing/ask.ts';
import { putWrite } from '#shared/platform/table/io/row.ts';
import { noteFailure, noteSuccess } from './health.ts';
import { afterCall } from './send-event.ts';
import type { Subscribed } from './sending.ts';

/**
 * Posts what waits for the channel of a subscription, if it is due. A worker that dies between the call and its note posts it again. What the
 * channel does not take waits for the time of the next call, and then goes out with whatever was added.
 * @returns whether the visit goes on
 */
export async function postWaiting(sending: Subscribed): Promise<boolean> {
  const { table, connections, reader, position } = sending;
  const [row] = await dueOf(table, reader.id);
  const url = row && (await readAddress(sending, reader.id));
  if (!row || url === undefined) return false;
  const message = (reader.channels.includes('slack') ? slackMessage : teamsMessage)(row, connections.settings.BASE_URL);
  const delivery = messageRow(row, message);
  const rows = table.rows(webhookDeliveries);
  await rows.put(delivery);
  const { network } = reachOf(connections);
  const called = await postTo({ network, url, body: JSON.stringify(message) });
  const noted = putWrite(table.tenant, webhookDeliveries, { row: afterCall(delivery, called) });
  await table.write(noted, ...(called.error === null ? [sentWrite(table, row)] : []));
  if (called.error !== null) await noteFailure({ ...sending, reached: position.seen }, called);
  else await noteSuccess(sending);
  return true;
}
