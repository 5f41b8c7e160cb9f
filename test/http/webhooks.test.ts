import { createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { beforeAll, describe, expect, test } from 'vitest';
import { assets } from '#shared/assets/asset/asset.ts';
import { codeBranches } from '#shared/code/repositories/code-branch.ts';
import { repositories } from '#shared/code/repositories/repository.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import { organization, system, withAnalyst } from '../support/analyst.ts';
import type { AnswerOf, Client } from '../support/client.ts';
import { expectExact } from '../support/verify.ts';
import { eventually, until } from '../support/wait.ts';

withAnalyst();

type Created = AnswerOf<'createIntegration'>;

let admin: Client;
let hub: Created;
let lab: Created;
beforeAll(async () => {
  ({ admin } = organization);
  hub = await admin.ok('createIntegration', { body: { kind: 'codehost_a', name: 'Hub', account: 'Octo-Shop' } });
  lab = await admin.ok('createIntegration', {
    body: { kind: 'codehost_b', name: 'Lab', account: 'shop', baseUrl: 'https://git.example.com/' },
  });
});

const signature = (secret: string, text: string) => `sha256=${createHmac('sha256', secret).update(text).digest('hex')}`;

type Delivery = { event?: string; id?: string; secret?: string; headers?: Record<string, string>; query?: object };

/** Sends an event as GitHub does. */
function fromGitHub(
  body: object | string,
  { event = 'push', id = newId(), secret = hub.webhookSecret, headers, query }: Delivery = {},
) {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const signed = { 'x-github-event': event, 'x-github-delivery': id, 'x-hub-signature-256': signature(secret, text) };
  return system.client().send('POST', '/api/v1/webhooks/codehost_a', {
    body: text,
    query,
    headers: { 'content-type': 'application/json', ...signed, ...headers },
  });
}

let projects = 100;
const repository = (name: string, more: object = {}) => ({
  id: ++projects,
  name,
  full_name: `octo-shop/${name}`,
  html_url: `https://github.com/octo-shop/${name}`,
  private: true,
  owner: { login: 'octo-shop' },
  default_branch: 'main',
  archived: false,
  topics: ['shop'],
  language: 'Go',
  description: 'Sells',
  updated_at: '2026-11-01T08:00:00Z',
  pushed_at: '2026-11-01T08:00:00Z',
  ...more,
});
const sha = (letter: string) => letter.repeat(40);
const push = (of: object, ref: string, [before, after]: [string, string], at = 1_793_520_000) => ({
  ref,
  before: sha(before),
  after: sha(after),
  deleted: after === '0',
  repository: { ...of, pushed_at: at },
  head_commit: after === '0' ? null : { id: sha(after), timestamp: '2026-11-01T09:00:00+02:00' },
});

const repositoryOf = ({ id }: { id: number }) =>
  until(
    async () => (await organization.table.list(repositories, { paginateFrom: 0, paginateSize: 100 })).data,
    (all) => all.some(({ externalId }) => externalId === String(id)),
  ).then((all) => all.find(({ externalId }) => externalId === String(id)));
const outcomes = async ({ id }: Created) => (await admin.ok('listDeliveries', { params: { id }, query: {} })).data;
const ids = async (of: Created) => (await outcomes(of)).map(({ deliveryId }) => deliveryId);
const outcome = (of: Created, deliveryId: string) =>
  until(
    async () => (await outcomes(of)).find((one) => one.deliveryId === deliveryId),
    (one) => one?.status === 'succeeded' || one?.status === 'failed',
  );

test('a push makes the repository, its asset and its branch known, and is taken once', async () => {
  const shop = repository('shop');
  const id = newId();
  const body = push(shop, 'refs/heads/main', ['0', 'a']);
  expect(await fromGitHub(body, { id })).toMatchObject({
    status: 200,
    body: { accepted: true, deliveryId: id, duplicate: false },
  });
  expect(await fromGitHub(body, { id })).toMatchObject({ status: 200, body: { duplicate: true } });
  expect(await outcome(hub, id)).toMatchObject({
    event: 'push',
    action: null,
    repository: 'octo-shop/shop',
    status: 'succeeded',
    outcome: { outcome: 'handled', effects: ['repository_kept', 'branch_kept'] },
  });
  const kept = await repositoryOf(shop);
  expect(kept).toMatchObject({ fullName: 'octo-shop/shop', status: 'active', visibility: 'private', topics: ['shop'] });
  expect(await organization.table.get(assets, kept?.assetId ?? '')).toMatchObject({
    type: 'repository',
    value: 'https://github.com/octo-shop/shop',
  });
  const { data } = await organization.table.list(codeBranches, {
    paginateFrom: 0,
    paginateSize: 10,
    where: { repository: kept?.id ?? '' },
  });
  expect(data).toMatchObject([
    { name: 'main', headCommit: sha('a'), headCommittedAt: '2026-11-01T07:00:00.000Z', status: 'active' },
  ]);
  const after = await admin.ok('getIntegration', { params: { id: hub.id } });
  expect(after).toMatchObject({ status: 'connected', lastDeliveryAt: expect.any(String), account: 'octo-shop' });
  expect(JSON.stringify(after)).not.toContain('whsec_');
  await expectExact(organization.table, [repositories, codeBranches, assets]);
});

describe('a delivery that is not proven is answered with 401 and kept nowhere', () => {
  const body = JSON.stringify(push(repository('secret'), 'refs/heads/main', ['0', 'a']));
  const refusals: [string, () => ReturnType<typeof fromGitHub>][] = [
    ['of another secret', () => fromGitHub(body, { secret: 'whsec_other' })],
    ['without a signature', () => fromGitHub(body, { headers: { 'x-hub-signature-256': '' } })],
    ['with half a signature', () => fromGitHub(body, { headers: { 'x-hub-signature-256': 'sha256=00' } })],
    [
      'whose body was changed by one byte',
      () =>
        fromGitHub(body.replace('main', 'mein'), {
          headers: { 'x-hub-signature-256': signature(hub.webhookSecret, body) },
        }),
    ],
    ['of an account that nobody connected', () => fromGitHub(body.replaceAll('octo-shop', 'nobody'))],
    [
      'with an integration that there is not',
      () => fromGitHub(body, { query: { integration: `exc_${'0'.repeat(44)}`.slice(4) } }),
    ],
  ];
  test.each(refusals)('%s', async (_, send) => {
    const before = await ids(hub);
    expect(await send()).toMatchObject({ status: 401, body: { code: 'unauthorized' } });
    expect(await ids(hub)).toEqual(before);
  });

  test('that somebody saw, and sends again as another one', async () => {
    const seen = JSON.stringify(push(repository('seen'), 'refs/heads/main', ['0', 'b']));
    const headers = { 'x-hub-signature-256': signature(hub.webhookSecret, seen) };
    expect(await fromGitHub(seen, { headers })).toMatchObject({ status: 200 });
    const before = await ids(hub);
    expect(await fromGitHub(seen, { headers })).toMatchObject({ status: 401 });
    expect(await ids(hub)).toEqual(before);
  });

  test('to an integration of another code host', async () => {
    const query = { integration: new URL(lab.webhookUrl).searchParams.get('integration') };
    expect(await fromGitHub(body, { secret: lab.webhookSecret, query })).toMatchObject({ status: 401 });
  });

  test('to an integration that is turned off', async () => {
    const off = await admin.ok('createIntegration', {
      body: { kind: 'codehost_a', name: 'Off', account: 'off', enabled: false },
    });
    const query = { integration: new URL(off.webhookUrl).searchParams.get('integration') };
    expect(off.status).toBe('disabled');
    const renamed = await admin.ok('updateIntegration', { params: { id: off.id }, body: { name: 'Still off' } });
    expect(renamed).toMatchObject({ name: 'Still off', enabled: false, status: 'disabled' });
    expect(await fromGitHub(body, { secret: off.webhookSecret, query })).toMatchObject({ status: 401 });
    await admin.ok('updateIntegration', { params: { id: off.id }, body: { enabled: true } });
    expect(await fromGitHub(body, { secret: off.webhookSecret, query })).toMatchObject({ status: 200 });
    await admin.ok('deleteIntegration', { params: { id: off.id } });
    expect(await fromGitHub(body, { secret: off.webhookSecret, query, id: newId() })).toMatchObject({ status: 401 });
  });
});

test('two organizations that name one account get their own events alone', async () => {
  const other = await system.newOrganization();
  const theirs = await other.admin.ok('createIntegration', {
    body: { kind: 'codehost_a', name: 'Mine', account: 'octo-shop' },
  });
  const twice = repository('twice');
  const id = newId();
  expect(
    await fromGitHub(push(twice, 'refs/heads/main', ['0', 'c']), { id, secret: theirs.webhookSecret }),
  ).toMatchObject({ status: 200 });
  await until(
    async () => (await other.admin.ok('listDeliveries', { params: { id: theirs.id }, query: {} })).data,
    ([one]) => one?.status === 'succeeded',
  );
  expect((await other.table.list(repositories, { paginateFrom: 0, paginateSize: 5 })).data).toMatchObject([
    { name: 'twice' },
  ]);
  expect(await ids(hub)).not.toContain(id);
});

test('a new secret takes the place of the one before, which works for a while', async () => {
  const rotating = await admin.ok('createIntegration', {
    body: { kind: 'codehost_a', name: 'Rotating', account: 'rotating' },
  });
  const params = { id: rotating.id };
  const query = { integration: new URL(rotating.webhookUrl).searchParams.get('integration') };
  const send = async (secret: string) => (await fromGitHub({ zen: newId() }, { event: 'ping', secret, query })).status;
  const first = await admin.ok('rotateWebhookSecret', { params, body: { overlapSeconds: 600 } });
  expect(first.previousWorksUntil).not.toBeNull();
  expect([await send(rotating.webhookSecret), await send(first.webhookSecret)]).toEqual([200, 200]);
  const second = await admin.ok('rotateWebhookSecret', { params, body: { overlapSeconds: 0 } });
  expect([
    await send(rotating.webhookSecret),
    await send(first.webhookSecret),
    await send(second.webhookSecret),
  ]).toEqual([401, 401, 200]);
});

test('GitLab proves itself by its token or by a signature that is not too old', async () => {
  const project = {
    id: ++projects,
    name: 'till',
    path_with_namespace: 'shop/pos/till',
    default_branch: 'main',
    visibility_level: 10,
    web_url: 'https://git.example.com/shop/pos/till',
    description: '',
  };
  const body = (after: string) => ({
    object_kind: 'push',
    ref: 'refs/heads/main',
    before: sha('0'),
    after: sha(after),
    project,
    commits: [{ id: sha(after), timestamp: '2026-11-02T08:00:00Z' }],
  });
  const send = (value: object, headers: Record<string, string>) =>
    system.client().send('POST', '/api/v1/webhooks/codehost_b', {
      body: JSON.stringify(value),
      headers: { 'content-type': 'application/json', 'x-gitlab-event': 'Push Hook', ...headers },
    });
  const token = (text: string) => ({ 'x-gitlab-token': text, 'x-gitlab-event-uuid': newId() });
  const signed = (value: object, at: Date) => {
    const id = newId();
    return {
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': new Webhook(lab.webhookSecret).sign(id, at, JSON.stringify(value)),
    };
  };
  expect(await send(body('a'), token('wrong'))).toMatchObject({ status: 401 });
  expect(await send(body('a'), token(lab.webhookSecret))).toMatchObject({ status: 200 });
  const kept = await repositoryOf(project);
  expect(kept).toMatchObject({
    vendor: 'codehost_b',
    fullName: 'shop/pos/till',
    visibility: 'internal',
    description: null,
  });
  const [soon, old] = [new Date(), new Date(Date.now() - 600_000)];
  expect(await send(body('b'), signed(body('b'), old))).toMatchObject({ status: 401 });
  expect(await send(body('b'), signed(body('c'), soon))).toMatchObject({ status: 401 });
  expect(await send(body('b'), signed(body('b'), soon))).toMatchObject({ status: 200 });
  await eventually(async () => {
    const where = { repository: kept?.id ?? '' };
    const { data } = await organization.table.list(codeBranches, { paginateFrom: 0, paginateSize: 5, where });
    expect(data).toMatchObject([{ name: 'main', headCommit: sha('b') }]);
  });
});

test('an event that a worker gave up is shown, and worked again on request', async () => {
  const id = newId();
  expect(await fromGitHub({ zen: id, organization: { login: 'octo-shop' } }, { event: 'ping', id })).toMatchObject({
    status: 200,
  });
  await outcome(hub, id);
  const params = { id: hub.id, deliveryId: id };
  const again = await admin.ok('replayDelivery', { params });
  expect(again.status).toBe('queued');
  expect(await outcome(hub, id)).toMatchObject({ outcome: { effects: ['connected'] } });
  for (const operation of ['getDelivery', 'replayDelivery'] as const) {
    const unknown = await admin.call(operation, { params: { ...params, deliveryId: 'none' } });
    expect(unknown).toMatchObject({ status: 400, body: { code: 'not_found' } });
  }
});

test('who reads the id of a delivery at the code host finds what became of it here, in no organization but the own', async () => {
  const id = newId();
  await fromGitHub({ zen: id, organization: { login: 'octo-shop' } }, { event: 'ping', id });
  const listed = await outcome(hub, id);
  const asked = { params: { id: hub.id, deliveryId: id } };
  expect(await admin.ok('getDelivery', asked)).toEqual(listed);
  const other = await system.newOrganization();
  expect(await other.admin.call('getDelivery', asked)).toMatchObject({ status: 400, body: { code: 'not_found' } });
});
