import { afterAll, expect, test } from 'vitest';
import { exposedCredentialsSummary } from '#functions/exposure/dashboards/exposed-credentials-summary.ts';
import { meanTimeOverview, meanTimes } from '#functions/exposure/dashboards/mean-time-overview.ts';
import { socSummary } from '#functions/exposure/dashboards/soc-summary.ts';
import { findingsSummary } from '#functions/exposure/dashboards/summaries.ts';
import { assets } from '#shared/assets/asset/asset.ts';
import { mergeSuggestions } from '#shared/assets/identity/merge-suggestion.ts';
import { findings, type StoredFinding } from '#shared/findings/finding/finding.ts';
import { now } from '#shared/platform/runtime/clock.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import { openTable, type Table } from '#shared/platform/table/table.ts';
import { alerts } from '#shared/soc/alerts/alert.ts';
import { raiseAlerts } from '#shared/soc/alerts/raise.ts';
import { incidents } from '#shared/soc/incidents/incident.ts';
import { responseActions } from '#shared/soc/incidents/response-action.ts';
import { exposedCredentials } from '#shared/vulnerabilities/exposed-credentials/exposed-credential.ts';
import { foldCredential } from '#shared/vulnerabilities/exposed-credentials/fold.ts';
import { aFinding, place } from '../../../bench/dashboards-model.ts';
import { attachMeter } from '../../../bench/meter.ts';
import { chance } from '../../../bench/store-model.ts';
import { findingDraft } from '../../support/findings.ts';
import { startWorld } from '../workers/imports/world.ts';

const world = await startWorld();
afterAll(() => world.stop());

/** Of each zone ten incidents, with one response action that failed now. */
async function withIncidentsAndActions(table: Table, zones: readonly string[]): Promise<void> {
  const never = { acknowledgedAt: null, containedAt: null, closedAt: null, reopenedAt: null, reopenedCount: 0 };
  const nobody = { assigneeId: null, assignee: null, memberIds: [], description: null, summary: null, lessons: null };
  const undecided = { decidedBy: null, decidedAt: null, decisionReason: null, deadlineAt: null, startedAt: null };
  const target = { type: 'host' as const, value: 'web' };
  for (const zone of zones.flatMap((one) => Array.from({ length: 10 }, () => one))) {
    const about = { title: 'shell', severity: 'high' as const, status: 'open' as const, detectedAt: now() };
    const { id: incidentId } = await table.create(incidents, { ...about, ...never, ...nobody, common: { zone } });
    await table.create(responseActions, {
      ...{ incidentId, type: 'isolate_host', target, parameters: {}, reason: null, integratorId: null },
      ...{ ...undecided, timeoutSeconds: 60, status: 'failed', finishedAt: now(), result: null, error: null },
      ...{ attempt: 0, cancelRequestedAt: null, common: { zone } },
    });
  }
}

const ASSETS = { dmz: newId(), lab: newId() };

test('lists of a part stay within the units of a search, and its dashboard within those of an organization', async () => {
  const table = world.newOrganization();
  const ids = await table.reserve(findings, 60);
  const batch = ids.map((id, n) => {
    const zone = n % 3 === 0 ? 'dmz' : 'lab';
    const asset = { id: ASSETS[zone], type: 'host' as const, name: zone, zone };
    return { ...findingDraft(now(), { asset }), id };
  });
  for (const draft of batch) await table.create(findings, draft);
  const own = openTable(table.dynamo, table.organizationId, table.actor, { zones: ['dmz'] });
  const meter = attachMeter(table.dynamo);
  const page = { paginateFrom: 0, paginateSize: 25 };
  for (const asked of [{}, { filter: { status: 'open' } }, { sort: 'priority' }, { search: 'sql' }]) {
    const usage = await meter.measure(async () => {
      expect((await own.list(findings, { ...page, ...asked })).totalCount).toBe(20);
    });

    expect(usage.roundTrips).toBeLessThanOrEqual(4);
    expect(usage.readUnits).toBeLessThanOrEqual(16);
  }
  const dashboard = await meter.measure(async () => expect((await findingsSummary(own)).open).toBe(20));

  expect(dashboard.roundTrips).toBeLessThanOrEqual(2);
  expect(dashboard.readUnits).toBeLessThanOrEqual(4);
});

test('exposed credentials of a part cost as much as the same list for the whole organization, and a row of bits more', async () => {
  const table = world.newOrganization();
  for (const n of Array.from({ length: 30 }).keys()) {
    const zone = n % 3 === 0 ? 'dmz' : 'lab';
    const asset = { id: ASSETS[zone], type: 'host' as const, name: zone, zone };
    const found = { source: 'scanner' as const, kind: 'api_key' as const, tool: 'gitleaks', firstSeenAt: now() };
    const said = [[{ ...found, asset, status: 'open' as const }, 1]] as const;
    await table.create(exposedCredentials, foldCredential(said, { key: `key-${n}` }));
  }
  const own = openTable(table.dynamo, table.organizationId, table.actor, { zones: ['dmz'] });
  const meter = attachMeter(table.dynamo);
  const listing = async (of: typeof table, count: number) =>
    meter.measure(async () => {
      const page = { paginateFrom: 0, paginateSize: 10, where: { kind: 'api_key' } };
      expect((await of.list(exposedCredentials, page)).totalCount).toBe(count);
    });
  const [whole, part] = [await listing(table, 30), await listing(own, 10)];

  expect(part.readUnits - whole.readUnits).toBeLessThanOrEqual(1);
  expect(part.roundTrips).toBeLessThanOrEqual(whole.roundTrips);
  const summary = await meter.measure(async () => expect((await exposedCredentialsSummary(own)).total).toBe(10));

  expect(summary.roundTrips).toBeLessThanOrEqual(3);
  expect(summary.readUnits).toBeLessThanOrEqual(16);
});

test('alerts of a part cost as much as those of an asset, and one without a known asset reads none', async () => {
  const table = world.newOrganization();
  const at = now();
  const host = (zone: string) => ({
    type: 'host' as const,
    value: zone,
    name: zone,
    zone,
    criticality: 'low' as const,
  });
  const seen = { internetExposed: null, tags: [], firstSeenAt: at, lastSeenAt: at };
  const [dmz, lab] = [
    await table.create(assets, { ...host('dmz'), ...seen }),
    await table.create(assets, { ...host('lab'), ...seen }),
  ];
  const source = { kind: 'edr' as const, ruleId: null, ruleName: null, collectorId: null };
  const around = {
    title: 'x',
    description: null,
    severity: 'high' as const,
    attackTechniques: [],
    dedupKey: null,
    eventCount: 1,
  };
  const event = (n: number, assetId: string | null) => ({
    ...{ ...around, source, eventKey: `e${n}`, firstEventAt: at, lastEventAt: at },
    entities: [{ type: 'hash' as const, value: `h${n}`, assetId }],
  });
  const origin = { id: 'edr', zone: null };
  const events = Array.from({ length: 60 }, (_, n) => event(n, n % 3 === 0 ? dmz.id : lab.id));
  await raiseAlerts(table, origin, events);
  const own = openTable(table.dynamo, table.organizationId, table.actor, { zones: ['dmz'] });
  const meter = attachMeter(table.dynamo, { inStep: true });
  const listing = (of: typeof table, where: { asset?: string }) =>
    meter.measure(async () => {
      const page = { paginateFrom: 0, paginateSize: 10, where: { source: 'edr', ...where } };
      expect((await of.list(alerts, page)).totalCount).toBe(20);
    });
  const [whole, part] = [await listing(table, { asset: dmz.id }), await listing(own, {})];

  expect(part.readUnits).toBeLessThanOrEqual(whole.readUnits);
  expect(part.roundTrips).toBeLessThanOrEqual(whole.roundTrips);
  const summary = await meter.measure(async () => expect((await socSummary(own)).alerts.total).toBe(20));

  expect(summary.roundTrips).toBeLessThanOrEqual(2);
  expect(summary.readUnits).toBeLessThanOrEqual(4);
  const raising = (n: number, assetId: string | null) =>
    meter.measure(async () => void (await raiseAlerts(table, origin, [event(n, assetId)])));
  const [unknown, known] = [await raising(100, null), await raising(101, dmz.id)];

  expect(known.readUnits - unknown.readUnits).toBeLessThanOrEqual(1);
  expect(known.writeUnits - unknown.writeUnits).toBeLessThanOrEqual(6);
});

test('response actions and suggestions of a part cost what other lists do, and the dashboard of the SOC half a unit more', async () => {
  const table = world.newOrganization();
  await withIncidentsAndActions(table, ['dmz', 'lab', 'lab']);
  const evidence = { certain: false, by: null, evidence: [], differing: [], seen: [] };
  for (const zone of ['dmz', 'dmz', 'lab']) {
    const both = { assetId: newId(), intoId: newId(), assetPlace: { zone: 'dmz' }, intoPlace: { zone } };
    const undecided = { status: 'open' as const, decidedBy: null, decidedAt: null, taskId: null };
    await table.create(mergeSuggestions, { ...both, ...evidence, ...undecided });
  }
  const own = openTable(table.dynamo, table.organizationId, table.actor, { zones: ['dmz'] });
  const meter = attachMeter(table.dynamo, { inStep: true });
  const page = { paginateFrom: 0, paginateSize: 10 };
  const lists = [
    async () =>
      expect((await own.list(responseActions, { ...page, filter: { status: 'failed' } })).totalCount).toBe(10),
    async () => expect((await own.list(mergeSuggestions, { ...page, where: { status: 'open' } })).totalCount).toBe(2),
  ];
  for (const list of lists) {
    const usage = await meter.measure(list);

    expect(usage.roundTrips).toBeLessThanOrEqual(3);
    expect(usage.readUnits).toBeLessThanOrEqual(16);
  }
  const summary = await meter.measure(async () => {
    const { incidents, responseActions } = await socSummary(own);
    expect([incidents.total, responseActions.failed24h]).toEqual([10, 10]);
  });

  expect(summary.roundTrips).toBeLessThanOrEqual(2);
  expect(summary.readUnits).toBeLessThanOrEqual(4.5);
});

test('mean times of a part cost what those of an organization do, over two years of records', async () => {
  const table = world.newOrganization();
  const random = chance(3);
  const inZone = (n: number) => ({
    ...aFinding(n, random, ''),
    asset: { id: newId(), type: 'host' as const, name: 'web', zone: 'dmz' },
  });
  await place(
    table,
    findings,
    Array.from({ length: 3_000 }, (_, n) => inZone(n)),
  );
  const own = openTable(table.dynamo, table.organizationId, table.actor, { zones: ['dmz'] });
  const meter = attachMeter(table.dynamo, { inStep: true });
  const { timeToRemediate } = await meanTimes(table, 'findings', {});
  const part = await meter.measure(async () => {
    expect((await meanTimes(own, 'findings', {})).timeToRemediate).toEqual(timeToRemediate);
  });

  expect(part.roundTrips).toBe(1);
  expect(part.readUnits).toBeLessThanOrEqual(4);
  const all = await meter.measure(() => meanTimeOverview(own, {}));

  expect(all.roundTrips).toBe(1);
  expect(all.readUnits).toBeLessThanOrEqual(16);
});

test('a change of a finding writes at most two rows more for each zone, application and owner of its asset', async () => {
  const table = world.newOrganization();
  const meter = attachMeter(table.dynamo, { inStep: true });
  const asset = { id: newId(), type: 'host' as const, name: 'web', zone: 'dmz' };
  const places = { asset, applicationIds: [newId(), newId()], assetOwnerId: newId() };
  const unitsOf = async (entity: typeof findings) => {
    const changes = [{ tags: ['x'] }, { acknowledgedAt: now() }, { status: 'fixed' as const, fixedAt: now() }];
    const units: number[] = [];
    let finding = await table.create(entity, findingDraft(now(), places));
    for (const change of changes) {
      const { writeUnits } = await meter.measure(async () => {
        finding = await table.update<StoredFinding, (typeof findings.detail)[number]>(entity, finding, change);
      });
      units.push(writeUnits);
    }
    return units;
  };
  const [counted, uncounted] = [await unitsOf(findings), await unitsOf({ ...findings, grouped: undefined })];

  expect(counted.map((units, n) => units - (uncounted[n] ?? 0))).toEqual([0, 4 * 2, 4 * 2 * 2]);
});
