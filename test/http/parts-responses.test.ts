import * as fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { assetPlaceFollower } from '#functions/workers/views/asset-places.ts';
import { assets } from '#shared/assets/asset/asset.ts';
import { now } from '#shared/platform/runtime/clock.ts';
import { alerts } from '#shared/soc/alerts/alert.ts';
import { responseActions } from '#shared/soc/incidents/response-action.ts';
import type { Client } from '../support/client.ts';
import {
  expectFiguresListed,
  expectOwnPages,
  hostAt,
  isIn,
  type Placed,
  placed,
  SCOPES,
  web,
} from '../support/parts.ts';
import { startSystem, type TestOrganization } from '../support/system.ts';
import { expectExact } from '../support/verify.ts';
import { follow } from '../support/vulnerabilities.ts';

const system = startSystem();

const [PLACES = []] = fc.sample(fc.array(placed, { minLength: 14, maxLength: 14 }), { numRuns: 1, seed: 3 });

const DMZ = { zone: 'dmz', applicationIds: [], ownerId: null };
const LAB = { zone: 'lab', applicationIds: [], ownerId: null };
const nameOf = (n: number) => `host-${n}.example.test`;

let organization: TestOrganization;
let assetIds: string[];
let incidentId: string;
/** An action on each host, on a user, and on a name without an asset. */
let actionIds: string[];

const newAsset = async (value: string, place: Placed) => (await hostAt(organization.table, value, place)).id;

const followAll = () => {
  const context = { connections: system.connections, table: organization.table };
  return follow(context, assetPlaceFollower(context));
};

const ask = (client: Client, value: string, incident = incidentId) =>
  client.call('createResponseAction', {
    params: { id: incident },
    body: { type: 'isolate_host', target: { type: 'host', value } },
  });

const incidentOn = async (value: string): Promise<string> => {
  const { admin } = organization;
  const [asset] = (await admin.ok('searchAssets', { query: { search: value } })).data;
  const entities = [{ type: 'host' as const, value, assetId: asset?.id ?? '' }];
  const { id } = await admin.ok('createAlert', { body: { title: 'shell', severity: 'high', entities } });
  return (await admin.ok('createIncident', { body: { title: 'shell', severity: 'high', alertIds: [id] } })).id;
};

beforeAll(async () => {
  organization = await system.newOrganization();
  const { admin, table } = organization;
  assetIds = [];
  for (const [n, place] of PLACES.entries()) assetIds.push(await newAsset(nameOf(n), place));
  incidentId = (await admin.ok('createIncident', { body: { title: 'shell', severity: 'high' } })).id;
  actionIds = [];
  const hosts = PLACES.map((_, n) => ({ type: 'host' as const, value: nameOf(n) }));
  for (const target of [
    ...hosts,
    { type: 'user' as const, value: 'ana' },
    { type: 'host' as const, value: 'nobody' },
  ]) {
    const body = { type: 'custom' as const, target };
    actionIds.push((await admin.ok('createResponseAction', { params: { id: incidentId }, body })).id);
  }
  for (const [n, id] of actionIds.entries())
    if (n % 4 === 0) await admin.ok('denyResponseAction', { params: { id }, body: {} });
    else if (n % 2 === 1)
      await table.modify(responseActions, id, () => ({ status: 'failed' as const, finishedAt: now() }));
});

test.each(SCOPES)('%j has the response actions on its assets, and figures of these', async (scope) => {
  const { admin } = organization;
  const person = await organization.person('viewer', scope);
  const visible = new Set(actionIds.filter((_, n) => isIn(scope, PLACES[n] ? [PLACES[n]] : [])));
  expect(visible.size).toBeGreaterThan(0);
  const lists = {
    all: (query: never) => admin.ok('listResponseActions', { query }),
    own: (query: never) => person.ok('listResponseActions', { query }),
  };
  const queries = [
    {},
    { status: 'denied' },
    { incidentId, status: 'awaiting_approval' },
    { paginateFrom: 1, paginateSize: 2 },
  ];
  await expectOwnPages(queries, lists, visible);
  for (const id of actionIds) {
    const own = await person.call('getResponseAction', { params: { id } });
    if (visible.has(id)) expect(own.body).toEqual(await admin.ok('getResponseAction', { params: { id } }));
    else expect(own).toMatchObject({ status: 400, body: { code: 'not_found' } });
  }
  const summary = await person.ok('getSOCSummary');
  await expectFiguresListed(person, summary);
  const waiting = await person.ok('listResponseActions', { query: { status: 'awaiting_approval' } });
  const failed = await person.ok('listResponseActions', { query: { status: 'failed' } });
  const counted = { awaitingApproval: waiting.totalCount, running: 0, failed24h: failed.totalCount };
  expect(summary.responseActions).toEqual(counted);
});

test('two people of a part act on its assets in incidents that they see, and on nothing else', async () => {
  const { admin } = organization;
  const [asker, second] = [
    await organization.person('analyst', SCOPES[0]),
    await organization.person('analyst', SCOPES[0]),
  ];
  await newAsset('mine.example.test', DMZ);
  await newAsset('theirs.example.test', LAB);
  const [own, others] = [await incidentOn('mine.example.test'), await incidentOn('theirs.example.test')];
  const asked = await ask(asker, 'mine.example.test', own);
  expect(asked).toMatchObject({ status: 200, body: { status: 'awaiting_approval', incidentId: own } });
  const params = { id: Object(asked.body).id };
  expect(await asker.call('approveResponseAction', { params, body: {} })).toMatchObject({ body: { code: 'conflict' } });
  expect(await second.ok('approveResponseAction', { params, body: {} })).toMatchObject({ status: 'approved' });
  expect(await admin.ok('getResponseAction', { params })).toMatchObject({ decidedBy: { id: second.id } });
  expect(await ask(asker, 'mine.example.test', others)).toMatchObject({ body: { code: 'not_found' } });
  for (const value of ['theirs.example.test', 'nobody.example.test'])
    expect(await ask(asker, value, own)).toMatchObject({
      body: { code: 'validation_failed', details: [{ path: 'target.value' }] },
    });
  const user = { type: 'disable_user' as const, target: { type: 'user' as const, value: 'ana' } };
  expect(await asker.call('createResponseAction', { params: { id: own }, body: user })).toMatchObject({ status: 400 });
  const elsewhere = actionIds.filter((_, n) => !isIn(SCOPES[0] ?? {}, PLACES[n] ? [PLACES[n]] : []));
  for (const id of elsewhere.slice(-3))
    for (const operation of ['approveResponseAction', 'denyResponseAction'] as const)
      expect(await second.call(operation, { params: { id }, body: {} })).toMatchObject({ body: { code: 'not_found' } });
});

test('a name that an asset of another part has too is no target of a part', async () => {
  const asker = await organization.person('analyst', SCOPES[0]);
  const both = '10.77.0.1';
  const [mine, theirs] = [await newAsset(both, DMZ), await newAsset(both, LAB)];
  expect(mine).not.toBe(theirs);
  await newAsset('seen.example.test', DMZ);
  const own = await incidentOn('seen.example.test');
  expect(await ask(asker, both, own)).toMatchObject({ body: { code: 'validation_failed' } });
});

test('an action follows the asset of its target', async () => {
  const { table, admin } = organization;
  const person = await organization.person('viewer', { teamIds: [web] });
  const id = await newAsset('moving.example.test', { ...LAB, ownerId: web });
  const action = Object((await ask(admin, 'moving.example.test')).body).id;
  const status = async () => (await person.call('getResponseAction', { params: { id: action } })).status;
  expect(await status()).toBe(200);
  const away = await table.update(assets, await table.get(assets, id), { ownerId: null });
  await followAll();
  expect(await status()).toBe(400);
  await table.update(assets, away, { ownerId: web });
  await followAll();
  expect(await status()).toBe(200);
  await expectExact(table, [responseActions]);
});

test('alerts by hand are on assets of the part, and count on alerts that the person sees alone', async () => {
  const { admin, table } = organization;
  const person = await organization.person('analyst', SCOPES[0]);
  const assetId = await newAsset('hand.example.test', DMZ);
  await newAsset('other.example.test', { ...LAB, zone: null });
  const raise = (client: Client, more: object) =>
    client.call('createAlert', { body: { title: 'by hand', severity: 'low', ...more } as never });
  const host = (value: string) => ({ type: 'host', value });
  const entities = [{ ...host('hand.example.test'), assetId }, host('other.example.test')];
  const dedupKey = 'one key';
  const hidden = await raise(admin, { dedupKey, entities: entities.slice(1) });
  const own = await raise(person, { dedupKey, entities });
  expect(own).toMatchObject({
    status: 200,
    body: { eventCount: 1, entities: [{ assetId }, { assetId: null }] },
  });
  const { id } = Object(own.body);
  expect(id).not.toBe(Object(hidden.body).id);
  expect(await person.ok('getAlert', { params: { id } })).toMatchObject({ title: 'by hand' });
  expect(await raise(person, { dedupKey, entities: entities.slice(0, 1) })).toMatchObject({
    body: { id, eventCount: 2 },
  });
  expect(await admin.ok('getAlert', { params: { id: Object(hidden.body).id } })).toMatchObject({ eventCount: 1 });
  for (const named of [[], entities.slice(1), [{ type: 'user', value: 'ana' }]])
    expect(await raise(person, { entities: named })).toMatchObject({ body: { code: 'insufficient_scope' } });
  const byId = [{ ...host('x'), assetId: assetIds[PLACES.findIndex((place) => !isIn(SCOPES[0] ?? {}, [place]))] }];
  expect(await raise(person, { entities: byId })).toMatchObject({ body: { code: 'validation_failed' } });
  expect(await person.ok('listAlertDeliveries', { params: { id } })).toEqual(
    await admin.ok('listAlertDeliveries', { params: { id } }),
  );
  expect(await person.call('listAlertDeliveries', { params: { id: Object(hidden.body).id } })).toMatchObject({
    body: { code: 'not_found' },
  });
  await expectExact(table, [alerts]);
});
