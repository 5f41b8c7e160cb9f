import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '#shared/platform/runtime/ids.ts';
import { wakeViews } from '#shared/platform/views/wake.ts';
import { analyst, organization, system, withAnalyst } from '../support/analyst.ts';
import { type CodeHostServer, startServer } from '../support/code-hosts/server.ts';
import { personIn } from '../support/people.ts';
import { eventually } from '../support/wait.ts';

withAnalyst();

let receiver: CodeHostServer;
beforeAll(async () => {
  receiver = await startServer(() => ({ status: 200 }));
});
afterAll(() => receiver.stop());

test('an alert shows who was notified of it, how, and whether it arrived', async () => {
  const { admin, table } = organization;
  const ana = await personIn(system, organization);
  const types = ['alert.created' as const];
  const endpoint = await admin.ok('createWebhookEndpoint', { body: { name: 'Pager', url: receiver.url, types } });
  const mine = { name: 'Mine', types, channels: ['inbox' as const], to: { kind: 'me' as const } };
  await ana.client.ok('createNotificationSubscription', { body: mine });
  const alert = async (title: string) => (await admin.ok('createAlert', { body: { title, severity: 'high' } })).id;
  const [first, second] = [await alert('One'), await alert('Two')];
  await wakeViews(system.connections, table, newId());
  const told = async (id: string, query: object = {}) => analyst.ok('listAlertDeliveries', { params: { id }, query });
  for (const id of [first, second])
    await eventually(async () => {
      const { data } = await told(id);
      expect(data.map(({ to, channel, status }) => [to.type, to.name, channel, status]).sort()).toEqual([
        ['person', 'Ana Lima', 'inbox', 'sent'],
        ['webhook_endpoint', 'Pager', 'webhook', 'sent'],
      ]);
    });
  const page = await told(first, { limit: 1 });
  const rest = await told(first, { limit: 1, before: page.next });
  expect([...page.data, ...rest.data]).toEqual((await told(first)).data);
  expect(await told(await alert('Three'))).toEqual({ data: [], next: null });
  await admin.ok('deleteWebhookEndpoint', { params: { id: endpoint.id } });
  expect((await told(first)).data.map(({ to }) => to.name)).toContain(null);
});
