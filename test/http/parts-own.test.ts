import { beforeAll, expect, test } from 'vitest';
import { now } from '#shared/platform/runtime/clock.ts';
import { named, startWork } from '../support/applications.ts';
import type { Client } from '../support/client.ts';
import { startSystem, type TestOrganization } from '../support/system.ts';
import { addFinding } from '../support/vulnerabilities.ts';
import { until } from '../support/wait.ts';

const system = startSystem();

let organization: TestOrganization;
let work: Awaited<ReturnType<typeof startWork>>;
let shop: string;
let other: string;
let inDmz: string;
let inBoth: string;
let outside: string;

beforeAll(async () => {
  organization = await system.newOrganization();
  work = await startWork(organization);
  inDmz = await work.host('web-1', { zone: 'dmz' });
  inBoth = await work.host('web-2', { zone: 'dmz' });
  outside = await work.host('db-1', { zone: 'lab' });
  shop = await work.application('shop');
  other = await work.application('other');
  await work.link(shop, inBoth);
  await work.link(other, outside);
  const at = now();
  const on = (id: string, name: string, zone: string) => ({ asset: { id, type: 'host' as const, name, zone } });
  const { table } = organization;
  await addFinding(table, { ...on(inBoth, 'web-2', 'dmz'), applicationIds: [shop], cves: ['CVE-2021-44228'] }, at);
  await addFinding(table, { ...on(outside, 'db-1', 'lab'), applicationIds: [other], cves: ['CVE-2021-44228'] }, at);
});

const codeOf = async (answer: Promise<{ body: unknown }>) => Object((await answer).body).code;

test('a person with a part changes, previews and deletes own saved filters, and no others', async () => {
  const { admin } = organization;
  const person = await organization.person('admin', { zones: ['dmz'] });
  const body = { name: 'mine', entity: 'finding', filter: 'severity:critical' } as const;
  const mine = await person.ok('createSavedFilter', { body });
  const params = { id: mine.id };
  const filter = 'severity:critical,high,medium,low';
  const preview = await person.ok('previewSavedFilter', { params, body: { filter } });
  expect([preview.begin.count, preview.cease.count]).toEqual([1, 0]);
  expect(await person.ok('updateSavedFilter', { params, body: { filter } })).toMatchObject({ usedBy: [] });
  const shared = await admin.ok('createSavedFilter', { body: { ...body, visibility: 'shared' } });
  const ofAdmin = { id: shared.id };
  expect(await codeOf(person.call('updateSavedFilter', { params: ofAdmin, body: { filter } }))).toBe('conflict');
  expect(await codeOf(person.call('deleteSavedFilter', { params: ofAdmin }))).toBe('conflict');
  expect((await admin.ok('getSavedFilter', { params: ofAdmin })).filter).toBe(shared.filter);
  expect(await person.ok('deleteSavedFilter', { params })).toMatchObject({ id: mine.id });
});

test('a filter that rules of the organization use is not changed by its maker with a part, who sees none of the rules', async () => {
  const { admin } = organization;
  const person = await organization.person('admin', { zones: ['dmz'] });
  const body = { name: 'used', entity: 'finding', filter: 'tag:noise', visibility: 'shared' } as const;
  const params = { id: (await person.ok('createSavedFilter', { body })).id };
  const rule = { name: 'secret plans', filterId: params.id, status: 'false_positive', reason: 'known' } as const;
  await admin.ok('createFindingRule', { body: rule });
  for (const answer of [
    await person.call('updateSavedFilter', { params, body: { filter: 'tag:other' } }),
    await person.call('updateSavedFilter', { params, body: { visibility: 'private' } }),
    await person.call('deleteSavedFilter', { params }),
  ]) {
    expect(answer).toMatchObject({ status: 400, body: { code: 'conflict' } });
    expect(JSON.stringify(answer.body)).not.toContain(rule.name);
  }
  expect((await admin.ok('getSavedFilter', { params })).filter).toBe('tag:noise');
});

test('everybody reads what they did, and only that; with a part without values', async () => {
  const person = await organization.person('analyst', { zones: ['dmz'] });
  const everywhere = await organization.person('analyst');
  const tagged = (client: Client, tag: string) =>
    client.ok('updateAsset', { params: { id: inDmz }, body: { tags: [tag] } });
  await tagged(person, 'mine');
  await tagged(everywhere, 'ours');
  expect(await codeOf(person.call('listApiKeys'))).toBe('insufficient_scope');
  const changeOf = async (client: Client & { id: string }) => {
    const entries = await until(
      async () => (await client.ok('listOwnActivity')).data,
      (data) => data.some(({ operation }) => operation === 'updateAsset'),
    );
    expect(entries.every(({ actor }) => actor.id === client.id)).toBe(true);
    return entries.find(({ operation }) => operation === 'updateAsset');
  };
  const record = { entity: 'asset', id: inDmz };
  expect(await changeOf(everywhere)).toMatchObject({ record, fields: { tags: { to: ['ours'] } } });
  const own = await changeOf(person);
  expect(own).toMatchObject({ record, fields: {}, masked: expect.arrayContaining(['tags']) });
  expect(own?.fields).toEqual({});
  const key = await organization.apiKey(['findings:read']);
  expect(await codeOf(key.call('listOwnActivity'))).toBe('insufficient_scope');
});

test('assets of the part are linked to its applications by hand, and no others', async () => {
  await work.rule(other, named('db-*'));
  const person = await organization.person('analyst', { zones: ['dmz'], applicationIds: [shop] });
  const params = { id: shop };
  const available = await person.ok('searchAvailableAssets', { params });
  expect([available.totalCount, available.data.map(({ id }) => id)]).toEqual([1, [inDmz]]);
  expect((await person.ok('searchAvailableAssets', { params, query: { search: 'db' } })).totalCount).toBe(0);
  const mapping = await person.ok('createAssetMapping', { params, body: { assetId: inDmz } });
  expect(mapping.asset.id).toBe(inDmz);
  expect(await codeOf(person.call('createAssetMapping', { params, body: { assetId: outside } }))).toBe(
    'validation_failed',
  );
  expect(await codeOf(person.call('createAssetMapping', { params: { id: other }, body: { assetId: inDmz } }))).toBe(
    'not_found',
  );
  const items = [
    { kind: 'zone', value: 'lab' },
    { kind: 'asset', id: outside },
    { kind: 'hostname', value: '*-1' },
  ];
  const bulk = await person.ok('bulkLinkAssets', { params, body: { items } });
  expect(bulk).toMatchObject({
    linked: 0,
    alreadyLinked: 1,
    rejected: [
      { index: 0, code: 'not_found' },
      { index: 1, code: 'not_found' },
    ],
  });
  expect(await person.ok('bulkUnlinkAssets', { params, body: { assetIds: [outside, inDmz] } })).toMatchObject({
    unlinked: 1,
    notFound: [outside],
  });
  const excluding = { params, body: { assetIds: [inBoth], alsoExclude: true } };
  expect(await codeOf(person.call('bulkUnlinkAssets', excluding))).toBe('insufficient_scope');
  const ofShop = await organization.person('analyst', { applicationIds: [shop] });
  expect(await codeOf(ofShop.call('bulkUnlinkAssets', { params, body: { assetIds: [inBoth] } }))).toBe(
    'insufficient_scope',
  );
  expect(await work.linked(shop)).toEqual(['web-2 manual']);
});

test('environments belong to the applications of the part', async () => {
  const person = await organization.person('analyst', { applicationIds: [shop] });
  const made = await person.ok('createEnvironment', { params: { id: shop }, body: { name: 'production' } });
  const params = { id: shop, env_id: made.id };
  expect(await person.ok('updateEnvironment', { params, body: { kind: 'staging' } })).toMatchObject({ version: 2 });
  const refused = person.call('createEnvironment', { params: { id: other }, body: { name: 'production' } });
  expect(await codeOf(refused)).toBe('not_found');
});

test('controls are assessed for a zone or an application of the part as for an administrator', async () => {
  const { admin } = organization;
  const [ofZone, ofShop] = [
    await organization.person('viewer', { zones: ['DMZ'] }),
    await organization.person('viewer', { applicationIds: [shop] }),
  ];
  for (const [person, query] of [
    [ofZone, { zone: 'DMZ' }],
    [ofShop, { applicationId: shop }],
  ] as const) {
    const [own, all] = await Promise.all(
      [person.ok('listFrameworks'), admin.ok('listFrameworks', { query })].map(async (one) => withoutTimes(await one)),
    );
    expect(own).toEqual(all);
    const controls = await person.ok('listControls', { query: { status: 'failed' } });
    expect(controls).toEqual(await admin.ok('listControls', { query: { ...query, status: 'failed' } }));
    const [failed] = controls.data;
    const params = { controlId: failed?.id ?? '' };
    const evidence = await person.ok('getControl', { params, query });
    expect(evidence.findings.map(({ asset }) => asset.id)).toEqual([inBoth]);
    const summary = await person.ok('getComplianceSummary');
    expect(summary.change30d).toBeNull();
    expect(summary.failedControls).toBe(controls.totalCount);
    const listed = await person.send('GET', summary.links.list.failedControls ?? '', {});
    expect(Object(listed.body).totalCount).toBe(summary.failedControls);
  }
  const ofBoth = await organization.person('viewer', { zones: ['dmz'], applicationIds: [shop] });
  expect(await codeOf(ofBoth.call('listFrameworks'))).toBe('insufficient_scope');
  for (const query of [
    { zone: 'lab' },
    { applicationId: other },
    { filter: 'zone:lab' },
    { assetType: 'host' } as const,
  ])
    expect(await codeOf(ofBoth.call('listFrameworks', { query }))).toBe('insufficient_scope');
  expect((await ofBoth.ok('listFrameworks', { query: { filter: 'zone:dmz' } })).length).toBeGreaterThan(0);
});

const withoutTimes = (answer: unknown): unknown =>
  JSON.parse(JSON.stringify(answer, (name, value) => (name === 'asOf' ? undefined : value)));

test('roles are read with their holders', async () => {
  const person = await organization.person('viewer', { zones: ['dmz'] });
  expect(await person.ok('listRoles')).toEqual(await organization.admin.ok('listRoles'));
  expect(await person.ok('getRole', { params: { id: 'viewer' } })).toMatchObject({ builtIn: true });
});

test('a refusal says why an operation is closed to a part, and who can help', async () => {
  const person = await organization.person('analyst', { zones: ['dmz'] });
  const refused = await person.call('createApplication', { body: { name: 'Shop' } });
  expect(refused).toMatchObject({
    body: {
      code: 'insufficient_scope',
      message: expect.stringMatching(/createApplication .* because a new application is in no part: ask somebody/),
    },
  });
});
