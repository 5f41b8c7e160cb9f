import type { Call, Handlers } from '#shared/platform/http/route.ts';
import { type DeliveryKey, type DeliveryRow, sentDeliveries } from '#shared/platform/outgoing/delivery.ts';
import { failedSince, listDeliveries, shown, shownWhole } from '#shared/platform/outgoing/delivery-list.ts';
import { notFound } from '#shared/platform/runtime/errors.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { assertTarget, resend } from './resend.ts';
import type { deliveryRoutes } from './routes.ts';
import { simulate } from './simulate.ts';

type Routes = typeof deliveryRoutes;

/** @throws not_found */
async function deliveryAt(table: Table, { targetId, deliveryId }: Call<Routes['getSentDelivery']>['params']) {
  const key: DeliveryKey = { targetId, id: deliveryId };
  const row = await table.rows(sentDeliveries).find(key, true);
  if (!row) throw notFound('delivery', deliveryId);
  return row;
}

async function listSentDeliveries({ table, query }: Call<Routes['listSentDeliveries']>) {
  const { data, next } = await listDeliveries(table, query);
  return { data: data.map(shown), next };
}

async function resendDelivery(call: Call<Routes['resendDelivery']>) {
  const row = await deliveryAt(call.table, call.params);
  await assertTarget(call.table, row.targetId);
  await resend(call, row);
  return { queued: 1, more: false };
}

/** One request sends so many again. */
const AT_ONCE = 100;

async function recoverDeliveries(call: Call<Routes['recoverDeliveries']>) {
  await assertTarget(call.table, call.body.targetId);
  const found = await failedSince(call.table, call.body, AT_ONCE + 1);
  const rows = byTask(found.slice(0, AT_ONCE).filter(({ payload }) => payload !== null));
  for (const row of rows) await resend(call, row);
  return { queued: rows.length, more: found.length > AT_ONCE };
}

/** A task that made several calls is worked once. */
const byTask = (rows: readonly DeliveryRow[]): DeliveryRow[] => [
  ...new Map(rows.map((row) => [row.work?.taskId ?? row.id, row])).values(),
];

export const deliveryHandlers: Handlers<Routes> = {
  listSentDeliveries,
  getSentDelivery: async ({ table, params }) => shownWhole(await deliveryAt(table, params)),
  resendDelivery,
  recoverDeliveries,
  simulateDeliveries: simulate,
};
