import { describe, expect, test } from 'vitest';
import { findings } from '#shared/findings/finding/finding.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import { rekey } from '#shared/platform/table/upkeep/rekey.ts';
import { bare } from '../support/bare.ts';
import { findingDraft } from '../support/findings.ts';
import { startShopIn } from '../support/shop.ts';
import { startSystem } from '../support/system.ts';

const system = startSystem();
const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();

test('the dashboards follow the decisions of people', async () => {
  const { table, withRole } = await system.newOrganization();
  const client = await withRole('analyst');
  const late = await table.create(findings, findingDraft(daysAgo(20), { severity: 'critical' }));
  const fresh = await table.create(findings, findingDraft(daysAgo(2), { severity: 'medium' }));
  const before = await client.ok('getFindingsSummary');
  expect(before).toMatchObject({
    total: 2,
    open: 2,
    overdue: 1,
    byStatus: { open: 2, fixed: 0 },
    openBySeverity: { critical: 1, high: 0, medium: 1, low: 0, info: 0 },
    opened7d: 1,
    fixed7d: 0,
  });
  expect((await client.ok('getTopFindings')).map(({ id }) => id)).toEqual([late.id, fresh.id]);
  expect(await client.ok('getFindingsMeanTimes')).toMatchObject({ timeToRemediate: null, change: { d7: null } });

  await client.ok('updateFinding', { params: { id: late.id }, body: { status: 'fixed' } });
  expect(await client.ok('getFindingsSummary')).toMatchObject({
    total: 2,
    open: 1,
    overdue: 0,
    byStatus: { open: 1, fixed: 1 },
    openBySeverity: { critical: 0, medium: 1 },
    fixed7d: 1,
  });
  expect((await client.ok('getTopFindings')).map(({ id }) => id)).toEqual([fresh.id]);
  const { timeToRemediate, timeToDetect, bySeverity, openAge } = await client.ok('getFindingsMeanTimes');
  expect(timeToRemediate).toMatchObject({ count: 1 });
  expect(Math.abs((timeToRemediate?.meanSeconds ?? 0) - 20 * 86_400)).toBeLessThan(600);
  expect(bySeverity.critical.timeToRemediate).toEqual(timeToRemediate);
  expect(bySeverity.medium.timeToRemediate).toBeNull();
  expect(timeToDetect).toBeNull();
  expect(openAge?.count).toBe(1);
  // one finding: its median is the time for which it is open, whatever the hour of the day
  expect(openAge?.medianSeconds).toBe(openAge?.meanSeconds);
});

test('a finding due in the last possible year is not overdue', async () => {
  const { table, withRole } = await system.newOrganization();
  const client = await withRole('analyst');
  const { id } = await table.create(findings, findingDraft(daysAgo(20), { severity: 'critical' }));
  await client.ok('updateFinding', { params: { id }, body: { dueAt: '9999-12-31T23:59:59Z' } });
  expect(await client.ok('getFindingsSummary')).toMatchObject({ open: 1, overdue: 0 });
});

test('an empty organization gets complete answers with zeros and nulls', async () => {
  const { withRole } = await system.newOrganization();
  const client = await withRole('viewer');
  expect(bare(await client.ok('getScannersSummary'))).toEqual({
    total: 0,
    byStatus: { online: 0, offline: 0, never_connected: 0, disabled: 0 },
    byZone: {},
    outdated: 0,
    tasks: { pending: 0, running: 0, failed24h: 0, unassignable: 0 },
    oldestPendingSeconds: null,
  });
  expect(await client.ok('getTopFindings')).toEqual([]);
  const metrics = await client.ok('getFindingsMeanTimes');
  const none = { timeToDetect: null, timeToAcknowledge: null, timeToContain: null, timeToRemediate: null };
  expect(metrics).toMatchObject({ ...none, openAge: null, change: { d7: null, d30: null, d90: null } });
  expect(metrics.bySeverity).toEqual({ critical: none, high: none, medium: none, low: none, info: none });
  expect(metrics.trend.every(({ meanSeconds, count }) => meanSeconds === null && count === 0)).toBe(true);
});

test('scanners are counted in their zone, in any letter case', async () => {
  const organization = await system.newOrganization();
  for (const zone of ['Plant', 'plant']) await organization.scanner({ zone, taskTypes: ['network'] });
  const { total, byZone, links } = await organization.admin.ok('getScannersSummary');
  expect({ total, zones: Object.values(byZone) }).toEqual({ total: 2, zones: [2] });
  const [zone = ''] = Object.keys(byZone);
  expect(links.list[`byZone.${zone}`]).toContain(`zone=${zone}`);
  expect((await organization.admin.ok('listScanners', { query: { zone: 'PLANT' } })).totalCount).toBe(2);
});

describe('the trend of findings', () => {
  test('is of the last thirty days unless the caller names others', async () => {
    const { admin } = await system.newOrganization();
    const trend = await admin.ok('getFindingsTrend');
    expect(trend.days).toHaveLength(30);
    expect(trend).toMatchObject({ to: trend.days.at(-1)?.date, net: { critical: 0, info: 0 } });
    const two = await admin.ok('getFindingsTrend', { query: { from: '2026-01-31', to: '2026-02-01' } });
    expect(two.days.map(({ date }) => date)).toEqual(['2026-01-31', '2026-02-01']);
  });

  test('of an asset or a tag has what happened there, and all assets together what happened to the organization', async () => {
    const { admin, scan } = await startShopIn(system);
    const repositories = ['shop', 'api', 'web'].map((name) => `https://git.example.com/acme/${name}`);
    for (const [n, repository] of repositories.entries()) {
      await scan('main', ['a', 'b', 'c', 'd'].slice(0, n + 2), { repository });
      await scan('main', ['a'], { repository });
    }
    await scan('main', ['a', 'b'], { repository: repositories[0] });
    const { data } = await admin.ok('listFindings', {});
    const idOf = (name: string) => data.find(({ asset }) => asset.name === name)?.asset.id ?? '';
    const trend = async (query: object) => {
      const { opened, reopened, fixed, net } = await admin.ok('getFindingsTrend', { query });
      return [opened, reopened, fixed, net].map(({ high }) => high);
    };
    const [shop, api, web] = await Promise.all(repositories.map((name) => trend({ assetId: idOf(name) })));
    expect({ shop, api, web }).toEqual({ shop: [2, 1, 1, 2], api: [3, 0, 2, 1], web: [4, 0, 3, 1] });
    expect(await trend({})).toEqual([9, 1, 6, 4]);
    for (const name of [repositories[0], repositories[2]])
      await admin.ok('updateAsset', { params: { id: idOf(name ?? '') }, body: { tags: ['payments'] } });
    expect(await trend({ assetTag: 'payments' })).toEqual([6, 1, 4, 3]);
    expect(await trend({ assetTag: 'nobody' })).toEqual([0, 0, 0, 0]);
    const both = { assetTag: 'payments', assetId: idOf(repositories[0] ?? '') };
    expect(await admin.call('getFindingsTrend', { query: both })).toMatchObject({ status: 400 });
    const { days } = await admin.ok('getFindingsTrend', { query: { assetId: idOf(repositories[0] ?? '') } });
    expect(days.at(-1)).toMatchObject({ opened: 2, reopened: 1, fixed: 1, net: 2 });
  });

  test('of an asset that is not there is refused', async () => {
    const { admin } = await system.newOrganization();
    const query = { assetId: crypto.randomUUID() };
    expect(await admin.call('getFindingsTrend', { query })).toMatchObject({ body: { code: 'not_found' } });
  });

  test.each([
    [{ from: '2026-02-01', to: '2026-01-31' }, /must be 2026-01-31 or earlier/],
    [{ from: '2024-01-01', to: '2026-01-01' }, /must be 2025-01-01 or later: at most 366 days/],
    [{ from: '1.2.2026' }, /must be a day such as/],
  ])('%o is refused with what to send', async (query, message) => {
    const { admin } = await system.newOrganization();
    expect(await admin.call('getFindingsTrend', { query })).toMatchObject({
      status: 400,
      body: { details: [{ path: 'from', message: expect.stringMatching(message) }] },
    });
  });
});

describe('figures of a day', () => {
  test('are those of the organization or of an application at the end of the day', async () => {
    const { table, withRole } = await system.newOrganization();
    const client = await withRole('analyst');
    const today = new Date().toISOString().slice(0, 10);
    const { id: applicationId } = await client.ok('createApplication', { body: { name: 'Shop' } });
    const draft = (severity: 'critical' | 'low') => findingDraft(daysAgo(0), { severity });
    const { id } = await table.create(findings, {
      ...draft('critical'),
      applicationIds: [applicationId],
      assetTags: ['Prod'],
    });
    await table.create(findings, draft('low'));
    await client.ok('updateFinding', { params: { id }, body: { status: 'fixed' } });
    const all = await client.ok('getFindingsSummary', { query: { asOf: today } });
    expect(all).toMatchObject({ total: 2, open: 1, byStatus: { open: 1, fixed: 1 }, openBySeverity: { low: 1 } });
    expect(all.overdue).toBeUndefined();
    const own = await client.ok('getFindingsSummary', { query: { applicationId } });
    expect(own).toMatchObject({ total: 1, open: 0, byStatus: { fixed: 1 }, bySeverity: { critical: 1, low: 0 } });
    expect(await client.ok('getFindingsSummary', { query: { assetTag: 'prod' } })).toEqual(own);
  });

  test('are refused for days to come, days without figures, malformed days and what is of others', async () => {
    const { table, withRole, apiKey } = await system.newOrganization();
    const client = await withRole('viewer');
    await table.create(findings, findingDraft(daysAgo(0)));
    const today = new Date().toISOString().slice(0, 10);
    const refused = async (query: object, by = client) => {
      const { status, body } = await by.call('getFindingsSummary', { query });
      return [status, Object(body).code, Object(body).message];
    };
    const wrong = [400, 'validation_failed'];
    await table.create({ ...findings, daily: undefined }, findingDraft('2020-05-05T00:00:00Z'));
    await rekey(table, findings);
    expect(await refused({ asOf: '2021-01-01' })).toEqual([
      ...wrong,
      expect.stringContaining('the last day of a month'),
    ]);
    expect(await refused({ asOf: '2999-01-01' })).toEqual([...wrong, expect.stringContaining(`${today} or earlier`)]);
    expect(await refused({ asOf: '2020-01-01' })).toEqual([...wrong, expect.stringContaining('2020-05-05 or later')]);
    expect(await refused({ asOf: 'yesterday' })).toEqual([...wrong, expect.any(String)]);
    const theirs = await (await system.newOrganization()).withRole('admin');
    const { id: applicationId } = await theirs.ok('createApplication', { body: { name: 'Theirs' } });
    expect(await refused({ applicationId })).toEqual([400, 'not_found', expect.any(String)]);
    expect((await refused({ asOf: today }, await apiKey(['assets:read'])))[0]).toBe(401);
    expect((await refused({ asOf: today }, system.client()))[0]).toBe(401);
  });

  test('are listed by day and by month, of all records and of an application or a tag', async () => {
    const { table, withRole } = await system.newOrganization();
    const client = await withRole('analyst');
    const { id: applicationId } = await client.ok('createApplication', { body: { name: 'Shop' } });
    const old = { ...findings, daily: undefined };
    const draft = (days: number, more: object) => findingDraft(daysAgo(days), more);
    await table.create(old, draft(40, { severity: 'critical', applicationIds: [applicationId], assetTags: ['Prod'] }));
    await table.create(old, draft(2, { severity: 'low' }));
    await rekey(table, findings);
    const day = (days: number) => daysAgo(days).slice(0, 10);
    const summary = (query: object) => client.ok('getFindingsSummary', { query: query as never });
    const history = async (query: object) => (await summary(query)).history ?? [];
    expect((await history({ by: 'day' })).map(({ date }) => date)).toEqual(
      Array.from({ length: 30 }, (_, n) => day(29 - n)),
    );
    const points = await history({ from: day(41), asOf: day(1) });
    expect(points.length).toBe(40);
    expect(points[0]).toMatchObject({ date: day(40), total: 1, openBySeverity: { critical: 1, low: 0 } });
    expect(points.slice(-3).map(({ total, open }) => [total, open])).toEqual([
      [1, 1],
      [2, 2],
      [2, 2],
    ]);
    const own = await history({ applicationId, from: day(3) });
    expect(own.map(({ total, byStatus }) => [total, byStatus.open])).toEqual([...Array(4)].map(() => [1, 1]));
    expect(await history({ assetTag: 'PROD', from: day(3) })).toEqual(own);
    const months = await history({ by: 'month' });
    expect(months.at(-1)).toMatchObject({ date: day(0), total: 2 });
    const before = months.at(-2);
    expect(before?.total).toBe((before?.date ?? '') < day(2) ? 1 : 2);
    const { total, byStatus, history: none } = await summary({ asOf: day(2) });
    expect({ total, byStatus, none }).toEqual({ total: 2, byStatus: points.at(-2)?.byStatus, none: undefined });

    const refused = async (query: object) =>
      Object((await client.call('getFindingsSummary', { query: query as never })).body).message;
    expect(await refused({ from: day(401) })).toContain(`from: must be ${day(400)} or later: send by=month`);
    expect(await refused({ from: day(1), asOf: day(2) })).toContain('from: must be earlier than asOf');
    expect(await refused({ from: '0001-01-01', by: 'month' })).toContain('from: must be at most 120 months');
    expect(await refused({ applicationId, assetTag: 'x' })).toContain('assetTag: must be left out');
    expect(await refused({ applicationId: newId() })).toContain('There is no application');
  });

  test.each(['getAssetsSummary', 'getInfrastructureOverview', 'getComplianceSummary', 'listFrameworks'] as const)(
    '%s has none, and names what has',
    async (name) => {
      const client = await (await system.newOrganization()).withRole('viewer');
      const { status, body } = await client.call(name, { query: { asOf: '2026-11-01' } as never });
      expect({ status, ...Object(body) }).toMatchObject({ status: 400, code: 'validation_failed' });
      expect(Object(body).message).toMatch(/^asOf: .*no counters by day.*overview\/system\/findings/);
    },
  );

  test('of an organization without records are zero', async () => {
    const client = await (await system.newOrganization()).withRole('viewer');
    const asOf = new Date().toISOString().slice(0, 10);
    expect(await client.ok('getVulnerabilitiesSummary', { query: { asOf } })).toMatchObject({ total: 0, open: 0 });
  });
});
