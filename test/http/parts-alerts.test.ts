import * as fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { assetPlaceFollower } from '#functions/workers/views/asset-places.ts';
import { assets } from '#shared/assets/asset/asset.ts';
import { now } from '#shared/platform/runtime/clock.ts';
import { ordinalOf } from '#shared/platform/runtime/ids.ts';
import { verify } from '#shared/platform/table/upkeep/verify.ts';
import { alerts } from '#shared/soc/alerts/alert.ts';
import { raiseAlerts } from '#shared/soc/alerts/raise.ts';
import { incidents } from '#shared/soc/incidents/incident.ts';
import { settleAlerts } from '#shared/soc/incidents/settle-places.ts';
import type { Client } from '../support/client.ts';
import {
  expectFiguresListed,
  expectOwnPages,
  hostAt,
  isIn,
  type Placed,
  placed,
  SCOPES,
  shop,
  web,
} from '../support/parts.ts';
import { startSystem, type TestOrganization } from '../support/system.ts';
import { follow } from '../support/vulnerabilities.ts';
import { eventually, finished } from '../support/wait.ts';

const system = startSystem();

const raised = fc.record({
  on: fc.uniqueArray(fc.nat(5), { maxLength: 2 }),
  severity: fc.constantFrom('critical' as const, 'low' as const),
  status: fc.constantFrom('new' as const, 'acknowledged' as const, 'resolved' as const),
  title: fc.constantFrom('web shell', 'brute force'),
  /** 0 and 1: one of two incidents; above: no incident. */
  incident: fc.nat(6),
});
const [PLACES, RAISED] = fc.sample(
  fc.tuple(fc.array(placed, { minLength: 6, maxLength: 6 }), fc.array(raised, { minLength: 40, maxLength: 40 })),
  { numRuns: 1, seed: 20 },
)[0] ?? [[], []];

let organization: TestOrganization;
let assetIds: string[];
let alertIds: string[];
/** Incidents, with the numbers of their alerts. */
let groups: { id: string; of: number[] }[];

const placesOf = (n: number): Placed[] => RAISED[n]?.on.flatMap((on) => PLACES[on] ?? []) ?? [];
/** A value has all places of all alerts, and each alert has one. */
const placesOfAll = (of: readonly number[]): Placed[] =>
  of.some((n) => placesOf(n).length === 0) ? [] : of.flatMap(placesOf);

const followAll = async (): Promise<void> => {
  const { connections } = system;
  const { table } = organization;
  await follow({ connections, table }, assetPlaceFollower({ connections, table }));
};

beforeAll(async () => {
  organization = await system.newOrganization();
  const { table, admin } = organization;
  assetIds = [];
  for (const [n, place] of PLACES.entries()) {
    const name = `host-${n}.example.test`;
    assetIds.push((await hostAt(table, name, place)).id);
  }
  const source = { kind: 'edr' as const, ruleId: null, ruleName: null, collectorId: null };
  const times = { eventCount: 1, firstEventAt: now(), lastEventAt: now() };
  const events = RAISED.map(({ on, title, severity }, n) => ({
    ...{
      title,
      severity,
      source,
      ...times,
      description: null,
      attackTechniques: [],
      dedupKey: null,
      eventKey: `e${n}`,
    },
    entities: on.map((one) => ({ type: 'host' as const, value: `host-${one}`, assetId: assetIds[one] ?? '' })),
  }));
  alertIds = (await raiseAlerts(table, { id: 'edr', zone: null }, events)).map(({ alertId }) => alertId);
  for (const [n, { status }] of RAISED.entries())
    if (status !== 'new') await admin.ok('updateAlert', { params: { id: alertIds[n] ?? '' }, body: { status } });
  groups = [];
  for (const group of [0, 1]) {
    const of = RAISED.flatMap(({ incident }, n) => (incident === group ? n : []));
    groups.push(await incidentOf(admin, of));
  }
  for (const scope of SCOPES) {
    const free = (n: number) => !groups.some(({ of }) => of.includes(n));
    const of = RAISED.flatMap((_, n) => (isIn(scope, placesOf(n)) && free(n) ? n : []));
    groups.push(await incidentOf(admin, of.slice(0, 2)));
  }
  await followAll();
});

async function incidentOf(client: Client, of: number[]) {
  const body = { title: 'attack', severity: 'high' as const, alertIds: of.flatMap((n) => alertIds[n] ?? []) };
  const { id } = await client.ok('createIncident', { body });
  return { id, of };
}

const QUERIES = [
  {},
  { status: 'new,acknowledged' },
  { severity: 'critical', source: 'edr' },
  { incidentId: 'none' },
  { filter: 'status:new -severity:low' },
  { filter: 'text:web' },
  { paginateFrom: 1, paginateSize: 2 },
] as const;

test.each(SCOPES)('%j has the alerts all of whose assets it has, and figures of these', async (scope) => {
  const { admin } = organization;
  const person = await organization.person('analyst', scope);
  const visible = new Set(alertIds.filter((_, n) => isIn(scope, placesOf(n))));
  expect(visible.size).toBeGreaterThan(0);
  const lists = {
    all: (query: never) => admin.ok('listAlerts', { query }),
    own: (query: never) => person.ok('listAlerts', { query }),
  };
  await expectOwnPages(QUERIES, lists, visible);
  for (const assetId of assetIds) {
    const query = { search: 'host', assetId };
    const all = await admin.ok('searchAlerts', { query });
    expect((await person.ok('searchAlerts', { query })).data).toEqual(all.data.filter(({ id }) => visible.has(id)));
  }
  for (const id of alertIds) await expectSame(person, ALERT, id, visible.has(id));
  const named = await person.ok('listAlerts', { query: { ids: alertIds.join(',') } });
  expect(new Set(named.data.map(({ id }) => id))).toEqual(visible);
  const values = await person.ok('listFilterValues', { query: { entity: 'alert', field: 'severity' } });
  const critical = await person.ok('listAlerts', { query: { severity: 'critical' } });
  expect(values.find(({ value }) => value === 'critical')?.count ?? 0).toBe(critical.totalCount);
  const summary = await person.ok('getSOCSummary');
  await expectFiguresListed(person, summary);
  expect(summary.alerts).toMatchObject({ total: visible.size, opened24h: visible.size });
  await expectMeanTimes(person, scope, visible);
});

/** The reader of changes counts alerts in the zone, the applications and the team that all of their assets have. */
async function expectMeanTimes(person: Client, scope: object, visible: ReadonlySet<string>): Promise<void> {
  const answer = await person.call('getAlertsMeanTimes');
  if (Object.keys(scope).length > 1) return expect(answer.body).toMatchObject({ code: 'insufficient_scope' });
  const metrics = await person.ok('getAlertsMeanTimes');
  await expectFiguresListed(person, metrics);
  expect(metrics.timeToDetect?.count).toBe(visible.size);
  const resolved = await person.ok('listAlerts', { query: { status: 'resolved', paginateSize: 100 } });
  expect(metrics.timeToRemediate?.count ?? 0).toBe(resolved.totalCount);
  expect((await person.ok('getIncidentsMeanTimes')).openAge?.count).toBe((await person.ok('listIncidents')).totalCount);
}

const ALERT = ['getAlert', 'listAlertTimeline', 'listAlertComments'] as const;
const INCIDENT = ['getIncident', 'listIncidentTimeline'] as const;

async function expectSame(
  person: Client,
  operations: readonly ((typeof ALERT)[number] | (typeof INCIDENT)[number])[],
  id: string,
  isSeen: boolean,
): Promise<void> {
  for (const operation of operations) {
    const own = await person.call(operation, { params: { id } });
    if (isSeen) expect(own.body).toEqual(await organization.admin.ok(operation, { params: { id } }));
    else expect(own).toMatchObject({ status: 400, body: { code: 'not_found' } });
  }
}

test.each(SCOPES)('%j has the incidents all of whose alerts it has', async (scope) => {
  const person = await organization.person('viewer', scope);
  const visible = new Set(groups.flatMap(({ id, of }) => (isIn(scope, placesOfAll(of)) ? id : [])));
  expect(visible.size).toBeGreaterThan(0);
  expect(visible.size).toBeLessThan(groups.length);
  for (const query of [{}, { status: 'open', severity: 'high' }, { filter: 'text:attack' }] as const) {
    const all = await organization.admin.ok('listIncidents', { query });
    const own = await person.ok('listIncidents', { query });
    expect(own.data).toEqual(all.data.filter(({ id }) => visible.has(id)));
    expect(own.totalCount).toBe(visible.size);
  }
  for (const { id } of groups) await expectSame(person, INCIDENT, id, visible.has(id));
  expect((await person.ok('getSOCSummary')).incidents.total).toBe(visible.size);
});

test('changes reach what the person sees, alone and in bulk, and nothing leaves the part', async () => {
  const { admin } = organization;
  const scope = { applicationIds: [shop] };
  const person = await organization.person('analyst', scope);
  const visible = alertIds.filter((_, n) => isIn(scope, placesOf(n)));
  const outside = alertIds.find((id) => !visible.includes(id)) ?? '';
  const stranger = assetIds[PLACES.findIndex((one) => !one.applicationIds.includes(shop))] ?? '';
  const [first = ''] = visible;
  const query = { waitSeconds: 20 };
  const before = await admin.ok('listAlerts', { query: { paginateSize: 100 } });
  const { task, taskId } = await person.ok('updateAlerts', {
    query,
    body: { ids: alertIds, changes: { severity: 'medium' } },
  });
  expect(task?.result).toMatchObject({ refusedCount: alertIds.length - visible.length });
  const after = await admin.ok('listAlerts', { query: { paginateSize: 100 } });
  expect(
    after.data
      .filter(({ severity }) => severity === 'medium')
      .map(({ id }) => id)
      .sort(),
  ).toEqual(visible.sort());
  const params = { taskId: taskId ?? '' };
  await finished(person, (await person.ok('undoAlertsUpdate', { params })).taskId);
  const restored = await admin.ok('listAlerts', { query: { paginateSize: 100 } });
  expect(restored.data.map(({ severity }) => severity)).toEqual(before.data.map(({ severity }) => severity));
  const comment = await person.ok('createAlertComment', { params: { id: first }, body: { text: 'looked at it' } });
  expect((await admin.ok('listAlertComments', { params: { id: first } })).data).toMatchObject([{ id: comment.id }]);
  for (const refused of [
    person.call('updateAlert', { params: { id: outside }, body: { severity: 'low' } }),
    person.call('createAlertComment', { params: { id: outside }, body: { text: 'x' } }),
  ])
    expect((await refused).body).toMatchObject({ code: 'not_found' });
  const entities = [{ type: 'host' as const, value: 'x', assetId: stranger }];
  expect((await person.call('updateAlert', { params: { id: first }, body: { entities } })).body).toMatchObject({
    code: 'validation_failed',
  });
  // a name of an asset elsewhere is a name without an asset: the alert would be in no part
  const name = `host-${PLACES.findIndex((one) => !one.applicationIds.includes(shop))}.example.test`;
  const unknown = [{ type: 'host' as const, value: name }];
  expect((await person.call('updateAlert', { params: { id: first }, body: { entities: unknown } })).body).toMatchObject(
    {
      code: 'insufficient_scope',
    },
  );
  for (const alertIds of [[], [outside]])
    expect(await person.call('createIncident', { body: { title: 'x', severity: 'low', alertIds } })).toMatchObject({
      status: alertIds.length > 0 ? 400 : 401,
    });
  const made = await person.ok('createIncident', { body: { title: 'mine', severity: 'low', alertIds: [first] } });
  expect(made).toMatchObject({ alertIds: [first], alerts: { total: 1 } });
  expect((await person.ok('getIncident', { params: { id: made.id } })).id).toBe(made.id);
});

test('an alert follows its asset, and an incident its alerts', async () => {
  const { table, admin } = organization;
  const person = await organization.person('viewer', { teamIds: [web] });
  const value = 'moving.example.test';
  const { id: assetId } = await hostAt(table, value, { zone: null, applicationIds: [], ownerId: null });
  const entities = [{ type: 'host' as const, value }];
  const { id } = await admin.ok('createAlert', { body: { title: 'on the move', severity: 'low', entities } });
  const incident = await admin.ok('createIncident', {
    body: { title: 'on the move', severity: 'low', alertIds: [id] },
  });
  const isSeen = async (expected: boolean) => {
    await followAll();
    await eventually(async () => {
      for (const [operation, one] of [
        ['getAlert', id],
        ['getIncident', incident.id],
      ] as const)
        expect((await person.call(operation, { params: { id: one } })).status).toBe(expected ? 200 : 400);
    });
  };
  await isSeen(false);
  const asset = await table.get(assets, assetId);
  const owned = await table.update(assets, asset, { ownerId: web });
  await isSeen(true);
  // another alert of the incident, of no asset
  const { id: other } = await admin.ok('createAlert', {
    body: { title: 'elsewhere', severity: 'low', incidentId: incident.id },
  });
  await followAll();
  await eventually(async () =>
    expect((await person.call('getIncident', { params: { id: incident.id } })).status).toBe(400),
  );
  await admin.ok('updateAlert', { params: { id: other }, body: { incidentId: null } });
  await isSeen(true);
  await table.update(assets, owned, { ownerId: null });
  await isSeen(false);
  // the reader of changes may repeat what it did
  await settleAlerts(table, [...alertIds, id].map(ordinalOf));
  for (const entity of [alerts, incidents]) expect((await verify(table, entity as never)).differences).toEqual([]);
});

test('rekey brings alerts and incidents of an earlier release into their parts', async () => {
  const { table, admin } = organization;
  const [scope] = SCOPES;
  const person = await organization.person('viewer', scope);
  const seenNow = async () => [
    (await person.ok('listAlerts')).totalCount,
    (await person.ok('listIncidents')).totalCount,
  ];
  const before = await seenNow();
  for (const id of alertIds) await table.update(alerts, await table.get(alerts, id), { common: undefined });
  for (const { id } of groups) await table.update(incidents, await table.get(incidents, id), { common: undefined });
  expect(await seenNow()).toEqual([0, 0]);
  await finished(admin, (await admin.ok('startMaintenance', { body: { work: 'rekey' } })).taskId);
  expect(await seenNow()).toEqual(before);
});
