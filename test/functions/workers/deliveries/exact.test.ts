import { afterAll, afterEach, expect, test } from 'vitest';

import { zones } from '#shared/assets/zones/zone.ts';
import { eventsOf } from '#shared/events/event.ts';
import { webhookEndpoints } from '#shared/events/webhook-endpoint.ts';
import { readChanges } from '#shared/platform/feed/read-changes.ts';
import { listDeliveries } from '#shared/platform/outgoing/delivery-list.ts';
import { nowMs, setClock } from '#shared/platform/runtime/clock.ts';
import { openNetwork } from '#shared/platform/runtime/network.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { startServer } from '../../../support/code-hosts/server.ts';
import { CALM, type Plan, planOf, plansOf, startFaultyWorld } from '../../../support/fault-plan.ts';
import { giveSealingKey } from '../../../support/integrations.ts';
import { makeEndpoint } from '../../../support/webhook-endpoints.ts';
import { visitBoth } from './visit-both.ts';

const world = await startFaultyWorld();
giveSealingKey(world.connections);
world.connections.network = openNetwork({ CODE_HOSTS_PRIVATE: '1' });
let plan: Plan = CALM;
/** It takes an event, refuses it, or takes it and does not say so. */
const receiver = await startServer(({ path }) =>
  path.startsWith('/dead') || plan.random() < 0.4 ? { status: 503, headers: { 'retry-after': '60' } } : { status: 200 },
);
afterEach(() => setClock());
afterAll(() => Promise.all([world.stop(), receiver.stop()]));

const received = (path: string): string[] =>
  receiver.asked.filter((asked) => asked.path === path).map(({ body }) => body.id);

async function expectedIds(table: Table): Promise<string[]> {
  const { found } = await readChanges(table, { since: 0, limit: 500 }, () => true);
  return found
    .flatMap((change) => eventsOf(table.organizationId, change))
    .filter(({ type }) => type.startsWith('zone.'))
    .map(({ id }) => id);
}

async function changeZones(table: Table, count: number): Promise<void> {
  for (let n = 0; n < count; n++) {
    const zone = await table.create(zones, { name: `zone ${n} ${nowMs()}`, description: '', cidrs: [] });
    if (n % 3 === 0) await table.update(zones, zone, { description: 'other' });
    if (n % 4 === 0) await table.delete(zones, await table.get(zones, zone.id, true));
  }
}

test.each(plansOf(8))('an endpoint gets every event, in order, whatever fails and dies: plan %i', async (seed) => {
  const table = world.newOrganization();
  const [first, second, dead] = [`/first-${seed}`, `/second-${seed}`, `/dead-${seed}`];
  const endpoints = [];
  for (const path of [dead, first, second]) {
    const made = await makeEndpoint({ connections: world.connections, table });
    endpoints.push(await table.update(webhookEndpoints, made, { url: `${receiver.url}${path}`, types: ['zone.*'] }));
  }
  plan = planOf(seed);
  let clock = nowMs();
  for (let round = 0; round < 40; round++) {
    if (round % 5 === 0 && round < 20) await changeZones(table, 4);
    setClock(() => clock);
    clock += 3 * 3_600_000;
    world.begin(round < 30 ? plan : CALM);
    if (round >= 30) plan = CALM;
    for (const { id } of endpoints)
      await world
        .risk(plan, { kills: 0.5, within: 12 }, () =>
          visitBoth({ connections: world.connections, table }, { kind: 'webhook', readerId: id }),
        )
        .catch((error) => expect(plan, String(error)).not.toBe(CALM));
    world.begin(CALM);
  }
  const expected = await expectedIds(table);
  expect(expected.length).toBeGreaterThan(20);
  for (const path of [first, second]) expect([...new Set(received(path))]).toEqual(expected);
  // the dead one got the first event alone, each time the same
  expect([...new Set(received(dead))]).toEqual(expected.slice(0, 1));
  const bodies = receiver.asked.filter(({ path }) => path === first).map(({ body }) => JSON.stringify(body));
  expect(new Set(bodies).size).toBe(expected.length);
  for (const { id } of endpoints.slice(1)) {
    expect(await table.get(webhookEndpoints, id, true)).toMatchObject({ status: 'active', error: null });
    const query = { targetId: id, limit: 500 };
    const { data } = await listDeliveries(table, query);
    expect(data.map((row) => [row.id, row.status])).toEqual(expected.toReversed().map((one) => [one, 'sent']));
    expect((await listDeliveries(table, { ...query, status: ['failed', 'dead'] })).data).toEqual([]);
  }
});
