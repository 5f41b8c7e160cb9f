import { createPublicKey, verify } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '#shared/platform/runtime/ids.ts';
import { wakeViews } from '#shared/platform/views/wake.ts';
import { organization, system, withAnalyst } from '../support/analyst.ts';
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

type Created = AnswerOf<'createWebhookEndpoint'>;
let endpoints = 0;

/** An endpoint of its own path, so that tests do not see each other's requests. */
async function endpoint(more: object = {}): Promise<Created & { received: () => Asked[] }> {
  const path = `/hook-${++endpoints}`;
  const body = { name: 'Hooks', url: `${receiver.url}${path}`, types: ['zone.*'], ...more };
  const created = await admin.ok('createWebhookEndpoint', { body });
  made.push(created.id);
  return { ...created, received: () => receiver.asked.filter((asked) => asked.path === path) };
}

let zones = 0;
async function zone() {
  const made = await admin.ok('createZone', { body: { name: `zone ${++zones}`, cidrs: [] } });
  await wake();
  return made;
}
/** Events come within two minutes of a change; a test does not wait so long. */
const wake = () => wakeViews(system.connections, organization.table, newId());
const typesOf = (asked: readonly Asked[]) => asked.map(({ body }) => body.type);
const idsOf = (asked: readonly Asked[]) => asked.map(({ headers }) => headers['webhook-id']);

describe('a webhook endpoint', () => {
  test('gets each event of its types once and in order, signed so that a receiver can verify it', async () => {
    const { id, webhookSecret, received } = await endpoint();
    const first = await zone();
    await admin.ok('updateZone', { params: { id: first.id }, body: { description: 'of the plant' } });
    await admin.ok('deleteZone', { params: { id: first.id } });
    await wake();
    await eventually(() => expect(typesOf(received())).toEqual(['zone.created', 'zone.updated', 'zone.deleted']));
    for (const { headers, body } of received())
      expect(new Webhook(webhookSecret).verify(JSON.stringify(body), headers as Record<string, string>)).toEqual(body);
    const { publicKey } = await admin.ok('getWebhookEndpoint', { params: { id } });
    const x = Buffer.from(publicKey?.replace('whpk_', '') ?? '', 'base64').toString('base64url');
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
    for (const { headers, body } of received()) {
      const { 'webhook-id': eventId, 'webhook-timestamp': at, 'webhook-signature': signatures } = headers;
      const signature = /(?:^| )v1a,(\S+)/.exec(String(signatures))?.[1] ?? '';
      const signed = Buffer.from(`${eventId}.${at}.${JSON.stringify(body)}`);
      expect(verify(null, signed, key, Buffer.from(signature, 'base64'))).toBe(true);
    }
    const sequences = received().map(({ body }) => Number(body.sequence));
    expect(sequences.toSorted((a, b) => a - b)).toEqual(sequences);
    const { data } = await admin.ok('listSentDeliveries', { query: { targetId: id } });
    expect(data.map(({ type, status }) => [type, status])).toEqual([
      ['zone.deleted', 'sent'],
      ['zone.updated', 'sent'],
      ['zone.created', 'sent'],
    ]);
    const params = { targetId: id, deliveryId: data[0]?.id ?? '' };
    const { payload } = await admin.ok('getSentDelivery', { params });
    expect(payload).toEqual(received().at(-1)?.body);
    const listed = await admin.ok('listEvents', { query: { types: 'zone.*', limit: 500 } });
    expect(listed.data).toEqual(expect.arrayContaining(received().map(({ body }) => body)));
    const ofEndpoints = await admin.ok('listEvents', { query: { types: 'webhook_endpoint.*', limit: 500 } });
    expect(JSON.stringify([data, payload, ofEndpoints, received()])).not.toContain(webhookSecret.replace('whsec_', ''));
  });

  test('that fails gets the event again with the same id, before any later one, and says meanwhile why', async () => {
    const { id, received } = await endpoint();
    receiver.fail({ status: 503 });
    await zone();
    await zone();
    await eventually(async () => {
      const { status, error } = await admin.ok('getWebhookEndpoint', { params: { id } });
      expect([status, error?.message]).toEqual(['failing', 'It answers 503.']);
    });
    await eventually(() => expect(received()).toHaveLength(3));
    const [first, again, second] = idsOf(received());
    expect(again).toBe(first);
    expect(second).not.toBe(first);
    await eventually(async () =>
      expect(await admin.ok('getWebhookEndpoint', { params: { id } })).toMatchObject({ status: 'active', error: null }),
    );
    const { data } = await admin.ok('listSentDeliveries', { query: { targetId: id } });
    expect(data.at(-1)?.attempts.map(({ status }) => status)).toEqual([503, 200]);
  });

  test('that leads elsewhere is not followed, and one that is gone is turned off', async () => {
    const { id, received } = await endpoint();
    receiver.fail({ status: 302, headers: { location: `${receiver.url}/elsewhere` } }, { status: 410 });
    await zone();
    await eventually(async () =>
      expect(await admin.ok('getWebhookEndpoint', { params: { id } })).toMatchObject({
        enabled: false,
        status: 'disabled',
        error: { code: 'gone' },
      }),
    );
    expect(received()).toHaveLength(2);
    expect(receiver.asked.some(({ path }) => path === '/elsewhere')).toBe(false);
    // nothing is lost: what happened meanwhile comes when it is on again
    await admin.ok('updateWebhookEndpoint', { params: { id }, body: { enabled: true } });
    await eventually(() => expect(new Set(idsOf(received())).size).toBe(1));
    await eventually(() => expect(received()).toHaveLength(3));
  });

  test('with a filter gets the events of records that meet it alone', async () => {
    const { id, received } = await endpoint({
      types: ['asset.created'],
      matching: { entity: 'asset', filter: 'tag:watched' },
    });
    const asset = (value: string, tags: string[]) => admin.ok('createAsset', { body: { type: 'host', value, tags } });
    await asset('web-01.example.com', ['watched']);
    await asset('web-02.example.com', []);
    const last = await asset('web-03.example.com', ['watched']);
    await eventually(() => expect(received().at(-1)?.body.data.id).toBe(last.id));
    expect(received()).toHaveLength(2);
    // the receiver has an event before the ledger says so
    await eventually(async () => {
      const { data } = await admin.ok('listSentDeliveries', { query: { targetId: id } });
      expect(data.map(({ status }) => status)).toEqual(['sent', 'skipped', 'sent']);
    });
  });

  test('gets what it asks for again under the former ids', async () => {
    const { id, received } = await endpoint();
    await zone();
    await zone();
    await eventually(() => expect(received()).toHaveLength(2));
    const since = Number(received()[0]?.body.sequence);
    await eventually(async () => {
      const answer = await admin.send('POST', `/api/v1/webhook-endpoints/${id}/again`, { body: { since } });
      expect(answer.status).toBe(200);
    });
    await eventually(() => expect(received()).toHaveLength(3));
    const [, second, again] = idsOf(received());
    expect(again).toBe(second);
  });

  test('has two signatures while its secret is replaced', async () => {
    const { id, webhookSecret, received } = await endpoint();
    const { webhookSecret: next } = await admin.ok('rotateWebhookEndpointSecret', { params: { id }, body: {} });
    expect(await admin.ok('testWebhookEndpoint', { params: { id } })).toMatchObject({ status: 200, error: null });
    const [{ headers, body } = { headers: {}, body: undefined }] = received();
    for (const secret of [webhookSecret, next])
      expect(new Webhook(secret).verify(JSON.stringify(body), headers as Record<string, string>)).toMatchObject({
        type: 'webhook.test',
      });
  });

  test('is refused with a filter that is none, and with a name and password in its address', async () => {
    const body = { name: 'Hooks', url: 'https://hooks.example.com/' };
    const wrong: [object, string][] = [
      [{ matching: { entity: 'finding', filter: 'severty:high' } }, 'matching.filter'],
      [{ url: 'https://ana:secret@hooks.example.com/' }, 'url'],
      [{ types: ['finding.exploded'] }, 'types.0'],
    ];
    for (const [more, path] of wrong) {
      const { status, body: answer } = await admin.send('POST', '/api/v1/webhook-endpoints', {
        body: { ...body, ...more },
      });
      expect([status, answer]).toEqual([
        400,
        expect.objectContaining({ details: [expect.objectContaining({ path })] }),
      ]);
    }
  });

  test('can be removed while it fails', async () => {
    const { id } = await endpoint();
    receiver.fail({ status: 500 }, { status: 500 });
    await zone();
    await eventually(async () =>
      expect((await admin.ok('getWebhookEndpoint', { params: { id } })).status).toBe('failing'),
    );
    await admin.ok('deleteWebhookEndpoint', { params: { id } });
    made.pop();
    expect((await admin.ok('listWebhookEndpoints', {})).totalCount).toBe(0);
  });
});
