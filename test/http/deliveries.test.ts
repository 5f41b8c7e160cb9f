import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '#shared/platform/runtime/ids.ts';
import { wakeViews } from '#shared/platform/views/wake.ts';
import { analyst, organization, system, withAnalyst } from '../support/analyst.ts';
import type { AnswerOf, Client } from '../support/client.ts';
import { type Asked, type CodeHostServer, startServer } from '../support/code-hosts/server.ts';
import { eventually } from '../support/wait.ts';

withAnalyst();

let admin: Client;
let receiver: CodeHostServer;
const made: string[] = [];
beforeAll(async () => {
  ({ admin } = organization);
  receiver = await startServer(() => ({ status: 200 }));
});
afterAll(() => receiver.stop());
afterEach(async () => {
  for (const id of made.splice(0)) await admin.ok('deleteWebhookEndpoint', { params: { id } });
});

let count = 0;
type Made = AnswerOf<'createWebhookEndpoint'> & { received: () => Asked[] };

async function endpoint(more: object = {}): Promise<Made> {
  const path = `/hook-${++count}`;
  const body = { name: 'Hooks', url: `${receiver.url}${path}`, types: ['zone.created'], ...more };
  const created = await admin.ok('createWebhookEndpoint', { body });
  made.push(created.id);
  return { ...created, received: () => receiver.asked.filter((asked) => asked.path === path) };
}

/** Events come within two minutes of a change; a test does not wait so long. */
const wake = () => wakeViews(system.connections, organization.table, newId());

async function zone(): Promise<void> {
  await admin.ok('createZone', { body: { name: `zone ${++count}`, cidrs: [] } });
  await wake();
}

const listed = async (query: object) => (await admin.ok('listSentDeliveries', { query })).data;
const statesOf = async (targetId: string) => (await listed({ targetId })).map(({ status }) => status);

describe('the ledger of deliveries', () => {
  test('lists what went out by state, channel, type and time, page by page, newest first', async () => {
    const since = new Date().toISOString();
    const { id, received } = await endpoint();
    for (let n = 0; n < 3; n++) await zone();
    await eventually(() => expect(received()).toHaveLength(3));
    await eventually(async () => expect(await statesOf(id)).toEqual(['sent', 'sent', 'sent']));
    const all = (await listed({ targetId: id })).map((delivery) => delivery.id);
    const ofAll = (await listed({ since, channel: 'webhook', status: 'sent', type: 'zone.*' })).filter(
      ({ targetId }) => targetId === id,
    );
    expect(ofAll.map((delivery) => delivery.id)).toEqual(all);
    const pages: string[] = [];
    let before: string | undefined;
    do {
      const page = await admin.ok('listSentDeliveries', { query: { since, limit: 1, ...(before && { before }) } });
      pages.push(...page.data.filter(({ targetId }) => targetId === id).map((delivery) => delivery.id));
      before = page.next ?? undefined;
    } while (before !== undefined);
    expect(pages).toEqual(all);
    for (const none of [{ type: 'asset.*' }, { channel: 'slack' }, { status: 'dead' }, { until: since }])
      expect((await listed({ since, ...none })).filter(({ targetId }) => targetId === id)).toEqual([]);
  });

  test('sends one again under its id, also to an endpoint that waits after a failure', async () => {
    const { id, received } = await endpoint();
    receiver.fail({ status: 503, headers: { 'retry-after': '3600' } });
    await zone();
    await eventually(async () => expect(await listed({ targetId: id, status: 'failed' })).toHaveLength(1));
    const [failed] = await listed({ targetId: id, status: 'failed,dead' });
    const params = { targetId: id, deliveryId: failed?.id ?? '' };
    expect(await admin.ok('recoverDeliveries', { body: { targetId: id, since: failed?.createdAt ?? '' } })).toEqual({
      queued: 1,
      skipped: 0,
      next: null,
    });
    await eventually(async () => expect(await statesOf(id)).toEqual(['sent']));
    expect(await listed({ targetId: id, status: 'failed,dead' })).toEqual([]);
    expect(await admin.ok('getWebhookEndpoint', { params: { id } })).toMatchObject({ status: 'active' });
    await admin.ok('resendDelivery', { params });
    await eventually(async () => {
      const { attempts, payload } = await admin.ok('getSentDelivery', { params });
      expect(attempts.map(({ status }) => status)).toEqual([503, 200, 200]);
      expect(received().at(-1)?.body).toEqual(payload);
    });
    expect(new Set(received().map(({ headers }) => headers['webhook-id']))).toEqual(new Set([params.deliveryId]));
  });

  test('is dead where the endpoint is gone, and is sent when the endpoint is back', async () => {
    const { id, received } = await endpoint();
    receiver.fail({ status: 410 });
    await zone();
    await eventually(async () => expect(await statesOf(id)).toEqual(['dead']));
    const [dead] = await listed({ targetId: id });
    const refused = await admin.send('POST', `/api/v1/deliveries/${id}/${dead?.id}/resend`, { body: {} });
    expect([refused.status, refused.body]).toEqual([400, expect.objectContaining({ code: 'conflict' })]);
    await admin.ok('updateWebhookEndpoint', { params: { id }, body: { enabled: true } });
    await eventually(async () => expect(await statesOf(id)).toEqual(['sent']));
    expect(received()).toHaveLength(2);
  });

  test('simulates what an endpoint would get, and sends nothing', async () => {
    await admin.ok('createAsset', { body: { type: 'host', value: 'sim-01.example.com', tags: ['watched'] } });
    await admin.ok('createAsset', { body: { type: 'host', value: 'sim-02.example.com', tags: [] } });
    const matching = { entity: 'asset', filter: 'tag:watched' };
    const { id, received } = await endpoint({ types: ['asset.created'], matching, enabled: false });
    const simulated = async () => (await admin.ok('simulateDeliveries', { body: { targetId: id, limit: 2 } })).data;
    await eventually(async () =>
      expect((await simulated()).map(({ status, reason }) => [status, reason])).toEqual([
        ['skipped', 'The record does not meet the filter.'],
        ['simulated', null],
      ]),
    );
    const data = await simulated();
    expect(data[1]?.payload).toMatchObject({ type: 'asset.created', id: data[1]?.id });
    expect(received()).toEqual([]);
  });

  test('is of administrators alone, and of their organization', async () => {
    const { id } = await endpoint();
    const answer = await admin.send('GET', `/api/v1/deliveries/${id}/${newId()}`);
    expect([answer.status, answer.body]).toEqual([400, expect.objectContaining({ code: 'not_found' })]);
    expect((await analyst.send('GET', '/api/v1/deliveries')).status).toBe(401);
  });
});
