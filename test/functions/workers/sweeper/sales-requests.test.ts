import { expect, test } from 'vitest';
import { salesRequests } from '#shared/people/sales-request.ts';
import { createSalesRequest, deleteSalesRequest } from '#shared/people/sales-requests.ts';
import { DAY_MS, nowMs, setClock } from '#shared/platform/runtime/clock.ts';
import { GLOBAL_SCOPE } from '#shared/platform/table/layout/keys.ts';
import { openTable } from '#shared/platform/table/table.ts';
import { newWorld } from '../../../support/scanning-world.ts';
import { useStore } from '../../../support/store.ts';
import { timersOf } from '../../../support/timers.ts';

const store = useStore('test');
const sent = { email: 'ada@engines.example', name: 'Ada', company: null, message: 'Hello', consentVersion: '1' };

test('a sales request is deleted a year after it came, and no earlier', async () => {
  const world = newWorld(store.dynamo);
  const all = openTable(store.dynamo, GLOBAL_SCOPE);
  const { id } = await createSalesRequest(all, sent);
  const begun = nowMs();
  setClock(() => begun + 364 * DAY_MS);
  await world.sweep();
  expect(await all.find(salesRequests, id, true)).toMatchObject(sent);
  setClock(() => begun + 366 * DAY_MS);
  await world.sweep();
  expect(await all.find(salesRequests, id, true)).toBeUndefined();
  expect(await timersOf(all)).toEqual([]);
});

test('a sales request that somebody deleted leaves no timer', async () => {
  const all = openTable(store.dynamo, GLOBAL_SCOPE);
  await deleteSalesRequest(all, await createSalesRequest(all, sent));
  expect(await timersOf(all)).toEqual([]);
});
