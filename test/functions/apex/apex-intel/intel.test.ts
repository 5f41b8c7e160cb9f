import { beforeAll, describe, expect, test } from 'vitest';
import { type Asset, assets } from '#shared/assets/asset/asset.ts';
import { findings, type StoredFinding } from '#shared/findings/finding/finding.ts';
import type { Draft } from '#shared/platform/table/table.ts';
import type { Client } from '../../../support/client.ts';
import { findingDraft } from '../../../support/findings.ts';
import { giveTask, loseTask } from '../../../support/held-task.ts';
import { startSystem, type TestOrganization } from '../../../support/system.ts';

const system = startSystem();
let organization: TestOrganization;
let viewer: Client;
let id: string;

const targets = [
  { type: 'cidr' as const, value: '10.0.0.0/24' },
  { type: 'domain' as const, value: 'example.com' },
  { type: 'url' as const, value: 'https://portal.example.net/app' },
  { type: 'repository' as const, value: 'github.com/acme/shop' },
  { type: 'application' as const, value: 'shop' },
  { type: 'application' as const, value: 'payroll' },
];
const exclusions = [
  { type: 'cidr' as const, value: '10.0.0.128/25' },
  { type: 'domain' as const, value: 'admin.example.com' },
  { type: 'url' as const, value: 'https://www.example.com/private' },
  { type: 'application' as const, value: 'payroll' },
];

beforeAll(async () => {
  organization = await system.newOrganization();
  viewer = await organization.withRole('viewer');
  id = await newEngagement();
  const [web, db] = [await addAsset('10.0.0.7', { internetExposed: true }), await addAsset('10.0.0.8')];
  const [excluded, outside, lab] = [
    await addAsset('10.0.0.200'),
    await addAsset('10.0.1.7'),
    await addAsset('10.0.0.9', { zone: 'lab' }),
  ];
  const site = await addAsset('www.example.com', { internetExposed: true });
  const admin = await addAsset('x.admin.example.com');
  const repository = await addAsset('github.com/acme/shop', { type: 'repository' });
  for (const asset of [web, db, excluded, outside, lab]) await addPort(asset, 443, 'nginx 1.18.0', 'https');
  await addPort(db, 5432, 'PostgreSQL DB 15 (exposed: database)', 'postgresql');
  await addPort(db, 22, 'OpenSSH 9', 'ssh', { status: 'fixed' });
  for (const asset of [web, excluded, outside, lab, admin])
    await addFinding(asset, { title: `CVE on ${asset.name}`, cves: ['CVE-2021-23017'], cvssScore: 7.7 });
  await addFinding(web, { title: 'the same again', cves: ['CVE-2021-23017'], severity: 'critical', kev: true });
  await addFinding(site, { title: 'open page', location: 'https://www.example.com/shop' });
  await addFinding(site, {
    title: 'excluded page',
    location: 'https://www.example.com/private/x',
    cves: ['CVE-2020-1'],
  });
  await addFinding(repository, { title: 'a secret', location: 'src/a.ts:1' });
});

async function newEngagement(of = organization): Promise<string> {
  const body = { title: 'Shop', kind: 'penetration_test' as const, targets, exclusions, taskTypes: [] };
  const { resource } = await of.admin.ok('createEngagement', { body });
  return resource?.id ?? '';
}

function addAsset(value: string, more: Partial<Asset> = {}): Promise<Asset> {
  const firstSeenAt = '2026-01-01T00:00:00.000Z';
  const draft = { type: 'host' as const, value, name: value, zone: null, criticality: 'medium' as const, tags: [] };
  return organization.table.create(assets, { ...draft, internetExposed: null, firstSeenAt, ...more });
}

function addFinding(asset: Asset, more: Partial<Draft<StoredFinding>>) {
  const { id: assetId, type, name, zone } = asset;
  const draft = findingDraft('2026-01-01T00:00:00.000Z', { asset: { id: assetId, type, name, zone }, ...more });
  return organization.table.create(findings, draft);
}

const addPort = (asset: Asset, port: number, product: string, service: string, more: Partial<StoredFinding> = {}) =>
  addFinding(asset, {
    title: `Open port ${port}/tcp: ${product}`,
    severity: 'info',
    ruleId: 'open-port',
    tool: 'nmap',
    location: `${asset.name}:${port}/tcp`,
    tags: [`service:${service}`],
    ...more,
  });

const params = () => ({ params: { id } });

describe('an analyst sees exactly what the engagement covers', () => {
  test('scope: targets, then exclusions', async () => {
    const page = await viewer.ok('getEngagementScope', { ...params(), query: { paginateFrom: 5, paginateSize: 2 } });
    expect(page).toMatchObject({ totalCount: 10, data: [{ kind: 'target', value: 'payroll' }, { kind: 'exclusion' }] });
  });

  test('applications and repositories, without the excluded ones', async () => {
    const applications = await viewer.ok('listIntelApplications', params());
    expect(applications.data).toEqual([{ value: 'shop', zone: null, assetId: null }]);
    const repositories = await viewer.ok('listIntelRepositories', params());
    expect(repositories.data).toEqual([{ value: 'github.com/acme/shop', zone: null, assetId: expect.any(String) }]);
  });

  test('domains, those of URLs too', async () => {
    const { data } = await viewer.ok('listIntelDomains', params());
    expect(data).toEqual([
      { name: 'example.com', zone: null, subdomains: true, targets: 1 },
      { name: 'portal.example.net', zone: null, subdomains: false, targets: 1 },
    ]);
  });

  test('assets by words: neither excluded ones, nor those beside the scope, nor those of another zone', async () => {
    const found = await viewer.ok('searchIntelAssets', { ...params(), query: { search: '10.0' } });
    expect(found.data.map(({ value }) => value)).toEqual(['10.0.0.8', '10.0.0.7']);
    expect(found).toMatchObject({ totalCount: 2, totalPages: 1 });
    const none = await viewer.ok('searchIntelAssets', { ...params(), query: { search: 'x.admin' } });
    expect(none.data).toEqual([]);
  });

  test('findings of every scan, and none on an excluded page', async () => {
    const { data, totalCount, truncated } = await viewer.ok('listIntelFindings', params());
    expect(data.map(({ title, asset }) => `${asset.name}: ${title}`)).toEqual([
      'github.com/acme/shop: a secret',
      'www.example.com: open page',
      '10.0.0.7: the same again',
      '10.0.0.7: CVE on 10.0.0.7',
      '10.0.0.8: Open port 22/tcp: OpenSSH 9',
      '10.0.0.8: Open port 5432/tcp: PostgreSQL DB 15 (exposed: database)',
      '10.0.0.8: Open port 443/tcp: nginx 1.18.0',
      '10.0.0.7: Open port 443/tcp: nginx 1.18.0',
    ]);
    expect([totalCount, truncated]).toEqual([8, undefined]);
    const second = await viewer.ok('listIntelFindings', { ...params(), query: { paginateFrom: 7, paginateSize: 5 } });
    expect(second.data).toEqual(data.slice(7));
  });

  test('open services, counted by port and product', async () => {
    const { data } = await viewer.ok('listAttackSurface', params());
    const on = (name: string) => ({ id: expect.any(String), name, zone: null });
    expect(data).toEqual([
      {
        service: 'https',
        product: 'nginx 1.18.0',
        port: 443,
        protocol: 'tcp',
        assets: 2,
        exposedAssets: 1,
        on: expect.arrayContaining([on('10.0.0.7'), on('10.0.0.8')]),
      },
      {
        service: 'postgresql',
        product: 'PostgreSQL DB 15',
        port: 5432,
        protocol: 'tcp',
        assets: 1,
        exposedAssets: 0,
        on: [on('10.0.0.8')],
      },
    ]);
  });

  test('vulnerabilities, one for each CVE and asset', async () => {
    const { data } = await viewer.ok('listIntelVulnerabilities', params());
    expect(data).toMatchObject([
      {
        cve: 'CVE-2021-23017',
        asset: { name: '10.0.0.7' },
        severity: 'critical',
        kev: true,
        cvssScore: 7.7,
        findings: 2,
      },
    ]);
  });
});

describe('the intelligence of an engagement is read by', () => {
  const operations = [
    'getEngagementScope',
    'listIntelApplications',
    'listIntelRepositories',
    'listIntelDomains',
    'listAttackSurface',
    'listIntelFindings',
    'listIntelVulnerabilities',
  ] as const;

  test('an appliance, as long as it holds a task of the engagement', async () => {
    const { id: machineId, client } = await organization.machine('apex');
    const statuses = async (engagementId = id) => {
      const answers = await Promise.all(operations.map((name) => client.call(name, { params: { id: engagementId } })));
      const found = await client.call('searchIntelAssets', { params: { id: engagementId }, query: { search: '10' } });
      return new Set([...answers, found].map((answer) => (answer.status === 200 ? 200 : answer.body.code)));
    };
    expect(await statuses()).toEqual(new Set(['not_found']));
    await giveTask(organization.table, machineId, { engagementId: id });
    expect(await statuses()).toEqual(new Set([200]));
    expect(await statuses(await newEngagement())).toEqual(new Set(['not_found']));
    await loseTask(organization.table, machineId);
    expect(await statuses()).toEqual(new Set(['not_found']));
  });

  test('no caller of another organization, and no API key', async () => {
    const other = await system.newOrganization();
    for (const name of operations)
      expect((await other.admin.call(name, params())).body).toMatchObject({ code: 'not_found' });
    const key = await organization.apiKey(['assets:read', 'findings:read']);
    expect(await key.call('listIntelFindings', params())).toMatchObject({ status: 401 });
  });
});
