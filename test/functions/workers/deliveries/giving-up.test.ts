import { afterAll, afterEach, expect, test } from 'vitest';
import { zones } from '#shared/assets/zones/zone.ts';
import { positions } from '#shared/events/position.ts';
import { webhookEndpoints } from '#shared/events/webhook-endpoint.ts';
import { joinOrganization } from '#shared/people/join.ts';
import { Letter } from '#shared/people/letter.ts';
import { listDeliveries } from '#shared/platform/outgoing/delivery-list.ts';
import { nowMs, setClock } from '#shared/platform/runtime/clock.ts';
import { openNetwork } from '#shared/platform/runtime/network.ts';
import { startServer } from '../../../support/code-hosts/server.ts';
import { startFaultyWorld } from '../../../support/fault-plan.ts';
import { giveSealingKey } from '../../../support/integrations.ts';
import { newAddress } from '../../../support/sign-in.ts';
import { makeEndpoint } from '../../../support/webhook-endpoints.ts';
import { visitBoth } from './visit-both.ts';

const world = await startFaultyWorld();
giveSealingKey(world.connections);
world.connections.network = openNetwork({ CODE_HOSTS_PRIVATE: '1' });
const receiver = await startServer(() => ({ status: 503 }));
afterEach(() => setClock());
afterAll(() => Promise.all([world.stop(), receiver.stop()]));

const HOUR = 3_600;
const DAY = 24 * HOUR;
/** The first wait is what the receiver asks for; the last ones are a day. */
const WAITS = [30, 60, 300, 900, HOUR, 2 * HOUR, 4 * HOUR, 8 * HOUR, 16 * HOUR];

test('an endpoint that fails is called later and later, and is off after five days, as its administrators read', async () => {
  const table = world.newOrganization();
  const joining = { email: newAddress(), name: 'Ana Lima', timeZone: 'UTC', locale: 'en', managedBy: 'local' as const };
  const { user } = await joinOrganization(table, { ...joining, roles: [{ roleId: 'admin' }] });
  const { id } = await table.update(webhookEndpoints, await makeEndpoint({ connections: world.connections, table }), {
    url: `${receiver.url}/hook`,
    types: ['zone.*'],
  });
  await table.create(zones, { name: 'plant', description: '', cidrs: [] });
  receiver.fail({ status: 503, headers: { 'retry-after': '30' } });
  const start = nowMs() + 10_000;
  let at = start;
  const waits: number[] = [];
  for (let calls = 1; calls < 20; calls++) {
    setClock(() => at);
    await visitBoth({ connections: world.connections, table }, { kind: 'webhook', readerId: id });
    expect(receiver.asked).toHaveLength(calls);
    const position = await table.rows(positions).find({ readerId: id }, true);
    if (position?.retryAt === undefined) break;
    const next = Date.parse(position.retryAt);
    waits.push(Math.round((next - at) / 1000));
    at = next;
  }
  expect(waits[0]).toBe(WAITS[0]);
  for (const [n, wait] of waits.entries()) {
    const least = WAITS[n] ?? DAY;
    expect(wait).toBeGreaterThanOrEqual(least);
    expect(wait).toBeLessThanOrEqual(least * 1.2 + 1);
  }
  expect((at - start) / 1000).toBeGreaterThan(5 * DAY);
  expect(new Set(receiver.asked.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  expect(await table.get(webhookEndpoints, id, true)).toMatchObject({
    enabled: false,
    status: 'disabled',
    error: { code: 'not_taken', message: 'It answers 503.' },
  });
  const { data } = await listDeliveries(table, { targetId: id, limit: 10 });
  expect(data.map(({ status }) => status)).toEqual(['dead']);
  const letters = (await world.tasksOf(table)).filter(({ operation }) => operation === 'send_letter');
  expect(letters.map(({ input }) => Letter.parse(input)).map(({ to, subject }) => [to, subject])).toEqual([
    [user.email, 'The webhook endpoint "Hooks" is turned off'],
  ]);
});
