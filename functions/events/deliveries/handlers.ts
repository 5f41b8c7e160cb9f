import { withMatching } from '#shared/platform/filter/read.ts';
import type { Call, Handlers } from '#shared/platform/http/route.ts';
import { type DeliveryKey, placeOf, sentDeliveries } from '#shared/platform/outgoing/delivery.ts';
import { deliveryFilter } from '#shared/platform/outgoing/delivery-filter.ts';
import { failedSince, listDeliveries, shown, shownWhole } from '#shared/platform/outgoing/delivery-list.ts';
import { notFound } from '#shared/platform/runtime/errors.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { assertTarget, mayResend, resend } from './resend.ts';
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

async function listSentDeliveries({ table, caller, query }: Call<Routes['listSentDeliveries']>) {
  const { data, next } = await listDeliveries(table, await withMatching({ table, caller }, deliveryFilter, query));
  return { data: data.map(shown), next };
}

async function resendDelivery(call: Call<Routes['resendDelivery']>) {
  const row = await deliveryAt(call.table, call.params);
  await assertTarget(call.table, row.targetId);
  await resend(call, row);
  return { queued: 1 };
}

/** One request sends so many again, and leaves out so many. */
const AT_ONCE = 100;
const LEFT_OUT = 1000;

/** Deliveries that cannot be sent again are left out, so that they hold up no others. */
async function recoverDeliveries(call: Call<Routes['recoverDeliveries']>) {
  const { targetId, since } = call.body;
  await assertTarget(call.table, targetId);
  const done = new Set<string>();
  let [queued, skipped] = [0, 0];
  for await (const row of failedSince(call.table, { targetId, since })) {
    if (queued === AT_ONCE || skipped === LEFT_OUT) return { queued, skipped, next: placeOf(row) };
    // a task that made several calls is worked once
    const work = row.work?.taskId ?? row.id;
    if (done.has(work)) continue;
    done.add(work);
    if (await mayResend(call.table, row)) {
      await resend(call, row);
      queued += 1;
    } else skipped += 1;
  }
  return { queued, skipped, next: null };
}

export const deliveryHandlers: Handlers<Routes> = {
  listSentDeliveries,
  getSentDelivery: async ({ table, params }) => shownWhole(await deliveryAt(table, params)),
  resendDelivery,
  recoverDeliveries,
  simulateDeliveries: simulate,
};
