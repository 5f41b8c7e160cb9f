import { beforeAll, expect, test } from 'vitest';
import { nowMs } from '#shared/platform/runtime/clock.ts';
import { startWork } from '../support/applications.ts';
import type { Client } from '../support/client.ts';
import { startSystem, type TestOrganization } from '../support/system.ts';
import { addFinding, follow, log4j } from '../support/vulnerabilities.ts';
import { finished } from '../support/wait.ts';

const system = startSystem();

let organization: TestOrganization;
let shop: string;
let inDmz: string;
let inShop: string;
let outside: string;
/** Parts of the organization, each with the ids of its assets. */
let parts: { scope: { zones: string[] } | { applicationIds: string[] }; seen: string[] }[];

beforeAll(async () => {
  organization = await system.newOrganization();
  const { host, application, link } = await startWork(organization);
  [inDmz, inShop, outside] = [
    await host('web-1', { zone: 'DMZ' }),
    await host('web-2', { zone: 'lab' }),
    await host('web-3', { zone: 'lab' }),
  ];
  shop = await application('shop');
  await link(shop, inShop);
  parts = [
    { scope: { zones: ['dmz'] }, seen: [inDmz] },
    { scope: { zones: ['Lab'] }, seen: [inShop, outside] },
    { scope: { applicationIds: [shop] }, seen: [inShop] },
  ];
  const day = (days: number) => new Date(nowMs() - days * 86_400_000).toISOString();
  const asset = (id: string, zone: string, name: string) => ({ id, type: 'host' as const, name, zone });
  const places = [
    { asset: asset(inDmz, 'DMZ', 'web-1') },
    { asset: asset(inShop, 'lab', 'web-2'), applicationIds: [shop] },
    { asset: asset(outside, 'lab', 'web-3') },
  ];
  for (const place of places) {
    await addFinding(organization.table, log4j(place), day(2));
    await addFinding(organization.table, { ...place, severity: 'low', dueAt: day(3) }, day(20));
    await addFinding(organization.table, { ...place, status: 'fixed', fixedAt: day(1) }, day(9));
  }
  await follow({ connections: system.connections, table: organization.table });
});

const idsOf = (page: { data: { id: string }[] }) => page.data.map(({ id }) => id).sort();
const onAssets = (page: { data: { id: string; asset: { id: string } }[] }, seen: string[]) =>
  page.data
    .filter(({ asset }) => seen.includes(asset.id))
    .map(({ id }) => id)
    .sort();

test('each list of assets and vulnerabilities, and each of their records, is that of the part', async () => {
  const { admin } = organization;
  const [everything, all] = [await admin.ok('listAssets'), await admin.ok('listVulnerabilities')];
  expect(all.totalCount).toBe(3);
  for (const { scope, seen } of parts) {
    const person = await organization.person('analyst', scope);
    const own = await person.ok('listAssets');
    expect(own.data).toEqual(everything.data.filter(({ id }) => seen.includes(id)));
    expect(own.totalCount).toBe(seen.length);
    expect((await person.ok('searchAssets', { query: { search: 'web' } })).totalCount).toBe(seen.length);
    const vulnerabilities = await person.ok('listVulnerabilities');
    expect(idsOf(vulnerabilities)).toEqual(onAssets(all, seen));
    expect(vulnerabilities.totalCount).toBe(seen.length);
    for (const { id } of everything.data) {
      const [asSeen, asAll] = [
        await person.call('getAsset', { params: { id } }),
        await admin.ok('getAsset', { params: { id } }),
      ];
      if (seen.includes(id)) expect(asSeen.body).toEqual(asAll);
      else expect(asSeen).toMatchObject({ status: 400, body: { code: 'not_found' } });
    }
    for (const { id, asset } of all.data) {
      const answer = await person.call('getVulnerability', { params: { id } });
      if (seen.includes(asset.id)) expect(answer.body).toEqual(await admin.ok('getVulnerability', { params: { id } }));
      else expect(answer).toMatchObject({ status: 400, body: { code: 'not_found' } });
    }
  }
});

test('the dashboard of findings counts the records of its lists, and no others', async () => {
  for (const { scope, seen } of parts) {
    const person = await organization.person('viewer', scope);
    const { links, ...summary } = await person.ok('getFindingsSummary');
    const n = seen.length;
    expect(summary).toMatchObject({
      total: 3 * n,
      open: 2 * n,
      overdue: n,
      opened7d: n,
      fixed7d: n,
      reopened7d: 0,
      held: 0,
      byStatus: { open: 2 * n, fixed: n },
      openBySeverity: { critical: n, low: n },
    });
    await expectLists(person, { ...summary, links });
    for (const query of [{ asOf: '2026-01-31' }, { assetTag: 'edge' }])
      expect((await person.call('getFindingsSummary', { query })).body).toMatchObject({ code: 'insufficient_scope' });
    const ofShop = await person.call('getFindingsSummary', { query: { applicationId: shop } });
    if ('applicationIds' in scope)
      expect(ofShop.body).toEqual(
        await organization.admin.ok('getFindingsSummary', { query: { applicationId: shop } }),
      );
    else expect(ofShop.body).toMatchObject({ code: 'insufficient_scope' });
    const vulnerabilities = await person.ok('getVulnerabilitiesSummary');
    expect(vulnerabilities).toMatchObject({ total: n, open: n, openBySeverity: { critical: n }, acceptedRisk: 0 });
    await expectLists(person, vulnerabilities);
    const top = await person.ok('getTopFindings');
    expect(top.map(({ asset }) => asset.id).every((id) => seen.includes(id))).toBe(true);
    expect(top).toHaveLength(Math.min(5, 2 * n));
  }
});

/** Each figure is the number of records of its list. */
async function expectLists(
  person: Client,
  { links, ...summary }: { links: { list: Record<string, string> } },
): Promise<void> {
  for (const [figure, path] of Object.entries(links.list)) {
    const page = await person.send('GET', path, {});
    const counted = figure.split('.').reduce((value: unknown, name) => Reflect.get(Object(value), name), summary);
    expect([figure, Object(page.body).totalCount]).toEqual([figure, counted]);
  }
}

test('an export has the records of the part, and its file is the own one only', async () => {
  const other = await organization.person('analyst', { zones: ['dmz'] });
  for (const { scope, seen } of parts) {
    const person = await organization.person('analyst', scope);
    const findings = await person.ok('exportFindings', { body: { format: 'sarif' }, query: { waitSeconds: 20 } });
    expect(findings.task?.error).toBeUndefined();
    expect(findings.file).toMatchObject({ findings: 3 * seen.length });
    const assets = await person.ok('exportAssets', {
      body: { format: 'csv', columns: ['id'] },
      query: { waitSeconds: 20 },
    });
    expect(assets.task?.error).toBeUndefined();
    const text = await (await fetch(assets.file?.url ?? '')).text();
    expect(seen.every((id) => text.includes(id))).toBe(true);
    expect(text.trim().split('\r\n')).toHaveLength(1 + seen.length);
    const body = { format: 'csv' as const };
    const vulnerabilities = await person.ok('exportVulnerabilities', { body, query: { waitSeconds: 20 } });
    expect(vulnerabilities.file).toMatchObject({ vulnerabilities: seen.length });
    const params = { taskId: findings.taskId };
    for (const stranger of [other, await organization.person('analyst', scope)])
      expect((await stranger.call('getFindingsExport', { params })).body).toMatchObject({ code: 'not_found' });
    expect(await tasksOf(person)).toHaveLength(3);
    expect(await tasksOf(other)).toEqual([]);
  }
});

const tasksOf = async (person: Client) => (await person.ok('listTasks')).data;

test('a change of many findings changes those of the part, and can be undone', async () => {
  const { admin } = organization;
  const person = await organization.person('analyst', { applicationIds: [shop] });
  const all = await admin.ok('listFindings');
  const own = onAssets(all, [inShop]);
  const query = { waitSeconds: 20 };
  const changes = { addTags: ['mine'] };
  const filter = { status: ['open' as const, 'fixed' as const] };
  const preview = await person.ok('updateFindings', { query, body: { filter, changes, dryRun: true } });
  expect(preview.preview).toMatchObject({ matched: 3, changed: 3 });
  expect((preview.preview?.sample ?? []).map(({ id }) => id).sort()).toEqual(own);
  const { task } = await person.ok('updateFindings', { query, body: { filter, changes } });
  expect(task?.result).toMatchObject({ matched: 3, changed: 3 });
  expect(idsOf(await admin.ok('listFindings', { query: { tag: 'mine' } }))).toEqual(own);
  const ids = all.data.map(({ id }) => id);
  const named = await person.ok('updateFindings', { query, body: { ids, changes: { addTags: ['named'] } } });
  expect(named.task?.result).toMatchObject({ changed: 3, refusedCount: 6 });
  expect(idsOf(await admin.ok('listFindings', { query: { tag: 'named' } }))).toEqual(own);
  const stranger = await organization.person('analyst', { zones: ['lab'] });
  const params = { taskId: named.taskId ?? '' };
  expect((await stranger.call('undoFindingsUpdate', { params })).body).toMatchObject({ code: 'not_found' });
  const undo = await finished(person, (await person.ok('undoFindingsUpdate', { params })).taskId);
  expect(undo).toMatchObject({ status: 'succeeded', result: { restored: 3 } });
  expect((await admin.ok('listFindings', { query: { tag: 'named' } })).data).toEqual([]);
});

test('a person makes findings on assets of the part, and nowhere else', async () => {
  const person = await organization.person('analyst', { zones: ['dmz'] });
  const body = { title: 'Weak cipher', severity: 'low' as const };
  const on = (assetId: string) => person.call('createFinding', { body: { ...body, assetId } });
  const made = await on(inDmz);
  expect(made).toMatchObject({ status: 200, body: { asset: { id: inDmz } } });
  for (const hidden of [outside, inShop]) expect((await on(hidden)).body).toMatchObject({ code: 'validation_failed' });
  const before = (await organization.admin.ok('listAssets')).totalCount;
  for (const value of ['web-3', 'web-9'])
    expect(
      (await person.call('createFinding', { body: { ...body, asset: { type: 'host', value, zone: 'lab' } } })).body,
    ).toMatchObject({ code: 'insufficient_scope' });
  expect((await organization.admin.ok('listAssets')).totalCount).toBe(before);
  const params = { id: Object(made.body).id };
  const stranger = await organization.person('analyst', { zones: ['lab'] });
  expect((await stranger.call('deleteFinding', { params })).body).toMatchObject({ code: 'not_found' });
  expect((await person.call('deleteFinding', { params })).status).toBe(200);
});

test('a decision on vulnerabilities reaches those of the part with their findings', async () => {
  const { admin } = organization;
  const person = await organization.person('analyst', { zones: ['dmz'] });
  const all = await admin.ok('listVulnerabilities');
  const [own] = all.data.filter(({ asset }) => asset.id === inDmz);
  const other = all.data.find(({ asset }) => asset.id === outside);
  const body = { status: 'in_progress' as const };
  const changed = await person.ok('updateVulnerability', { params: { id: own?.id ?? '' }, body });
  expect(changed.status).toBe('in_progress');
  expect((await person.call('updateVulnerability', { params: { id: other?.id ?? '' }, body })).body).toMatchObject({
    code: 'not_found',
  });
  const tasks = await tasksOf(person);
  for (const { id } of tasks) expect(await finished(person, id)).toMatchObject({ status: 'succeeded' });
  const status = ['in_progress' as const];
  expect((await admin.ok('listFindings', { query: { status } })).data.map(({ asset }) => asset.id)).toEqual([inDmz]);
  const many = { ids: all.data.map(({ id }) => id), changes: { status: 'open' as const } };
  const { task } = await person.ok('updateVulnerabilities', { query: { waitSeconds: 20 }, body: many });
  expect(task).toMatchObject({ status: 'succeeded', result: { changed: 1, refusedCount: 2 } });
});

test('files of findings and filters are those of the part', async () => {
  const { admin } = organization;
  const person = await organization.person('analyst', { zones: ['dmz'] });
  const findings = (await admin.ok('listFindings')).data;
  const [own, other] = [inDmz, outside].map((id) => ({ id: findings.find(({ asset }) => asset.id === id)?.id ?? '' }));
  expect(await person.ok('listFindingEvidence', { params: own ?? { id: '' } })).toEqual([]);
  expect((await person.call('listFindingEvidence', { params: other ?? { id: '' } })).body).toMatchObject({
    code: 'not_found',
  });
  const filter = 'severity:critical,low';
  const [count, all] = await Promise.all(
    [person, admin].map((client) => client.ok('checkFilter', { body: { entity: 'finding', filter } })),
  );
  expect([count?.count, all?.count]).toEqual([2, 6]);
  expect((await person.ok('listFindings', { query: { assigneeId: 'me' } })).totalCount).toBe(0);
  const team = (await admin.ok('createTeam', { body: { name: 'Web' } })).id;
  expect((await person.ok('listFindings', { query: { filter: `team:${team}` } })).totalCount).toBe(0);
  const saved = await person.ok('createSavedFilter', { body: { name: 'mine', entity: 'finding', filter } });
  expect((await person.ok('listFindings', { query: { filterId: saved.id } })).totalCount).toBe(2);
  expect(
    (await person.call('checkFilter', { body: { entity: 'identity', filter: 'status:active' } })).body,
  ).toMatchObject({
    code: 'insufficient_scope',
  });
});

test('a service account works in a part, and staff and owners have none', async () => {
  const { admin } = organization;
  const scope = { zones: ['dmz'] };
  const body = { name: 'dmz', role: 'viewer', scope };
  const account = await admin.ok('createServiceAccount', { body });
  expect(account.scope).toEqual(scope);
  const grant = { grant_type: 'client_credentials', client_id: account.clientId, client_secret: account.clientSecret };
  const token = await system.client().ok('issueToken', { body: grant });
  const client = system.client(() => Object(token).access_token);
  expect(idsOf(await client.ok('listAssets'))).toEqual([inDmz]);
  expect((await client.call('listServiceAccounts')).body).toMatchObject({ code: 'insufficient_scope' });
  for (const wrong of [{ role: 'owner' }, { scope: { applicationIds: [inDmz] } }, { scope: {} }])
    expect((await admin.call('createServiceAccount', { body: { ...body, ...wrong } })).body).toMatchObject({
      code: expect.stringMatching(/validation_failed|insufficient_scope/),
    });
});
