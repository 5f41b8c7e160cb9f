import { expect, test } from 'vitest';
import { assets } from '#shared/entities/asset.ts';
import { startWork } from '#test/support/applications.ts';
import { startSystem, type TestOrganization } from '#test/support/system.ts';
import { addFinding, follow, log4j } from '#test/support/vulnerabilities.ts';

const system = startSystem();

const https = { port: 443, protocol: 'tcp', service: 'https', product: 'nginx', version: '1.18', cpe: null };
const ssh = { port: 22, protocol: 'tcp', service: 'ssh', product: null, version: null, cpe: null };

async function hostWith({ admin, table }: TestOrganization, internetExposed: boolean) {
  const { id } = await admin.ok('createAsset', { body: { type: 'host', value: 'web-1', internetExposed } });
  const { type, name, zone } = await table.modify(assets, id, () => ({ services: [https, ssh] }));
  return { id, type, name, zone };
}

test('the exposure of an asset leads from the internet over its services to what is open there', async () => {
  const organization = await system.newOrganization();
  const { admin, table } = organization;
  const asset = await hostWith(organization, true);
  await addFinding(table, log4j({ asset, locationDetail: { host: 'web-1', port: 22 } }));
  const nginx = { name: 'nginx', version: '1.18', fixedVersions: [] };
  await addFinding(
    table,
    log4j({ asset, cves: ['CVE-2021-23017'], ruleId: 'x', component: nginx, locationDetail: {} }),
  );
  await addFinding(table, log4j({ asset, cves: ['CVE-2020-0001'], ruleId: 'x', locationDetail: {} }));
  await addFinding(table, log4j({ asset, cves: ['CVE-2020-0002'], ruleId: 'x', status: 'false_positive' }));
  await follow(system.connections, table);
  const { nodes, edges, ...about } = await admin.ok('getAssetExposure', { params: { id: asset.id } });
  expect(about).toEqual({ assetId: asset.id, internetExposed: true, truncated: false });
  const titles = new Map(
    nodes.map(({ id, kind, text }) => [id, kind === 'vulnerability' ? text.slice(0, 14).trim() : id]),
  );
  expect(edges.map(({ from, to }) => [titles.get(from), titles.get(to)].join(' > ')).toSorted()).toEqual([
    'asset > CVE-2020-0001',
    'internet > service:22/tcp:ssh',
    'internet > service:443/tcp:https',
    'service:22/tcp:ssh > CVE-2021-44228',
    'service:443/tcp:https > CVE-2021-23017',
  ]);
  expect(nodes.find(({ kind }) => kind === 'asset')).toMatchObject({
    recordId: asset.id,
    text: 'web-1 is reachable from the internet.',
  });
  expect(nodes.find(({ text }) => text.startsWith('CVE-2021-44228'))).toMatchObject({
    severity: 'critical',
    status: 'open',
  });
  expect([...nodes, ...edges].filter(({ text }) => !text.endsWith('.'))).toEqual([]);
});

test('nothing leads from the internet to an asset of which nobody said that it is exposed', async () => {
  const organization = await system.newOrganization();
  const asset = await hostWith(organization, false);
  const { nodes, edges } = await organization.admin.ok('getAssetExposure', { params: { id: asset.id } });
  expect(nodes.map(({ kind }) => kind)).toEqual(['asset', 'service', 'service']);
  expect(edges).toEqual([]);
});

test('an answer is bounded, and says that there is more', async () => {
  const organization = await system.newOrganization();
  const asset = await hostWith(organization, true);
  const services = Array.from({ length: 60 }, (_, n) => ({ ...ssh, port: 1000 + n }));
  await organization.table.modify(assets, asset.id, () => ({ services }));
  const { nodes, truncated } = await organization.admin.ok('getAssetExposure', { params: { id: asset.id } });
  expect([nodes.filter(({ kind }) => kind === 'service').length, truncated]).toEqual([50, true]);
});

test('the applications of an asset are named, and how the internet reaches them', async () => {
  const organization = await system.newOrganization();
  const asset = await hostWith(organization, true);
  const { analyst, application, link } = await startWork(organization);
  const shop = await application('Web shop', { criticality: 'critical' });
  await application('another');
  await link(shop, asset.id);
  const read = () => analyst.ok('getAssetExposure', { params: { id: asset.id } });
  const { nodes, edges } = await read();
  expect(nodes.filter(({ kind }) => kind === 'application')).toMatchObject([
    { recordId: shop, text: 'Web shop is an application of critical criticality.' },
  ]);
  const waysTo = (all: typeof edges) =>
    all.flatMap(({ from, to }) => (to === `application:${shop}` ? from : [])).toSorted();
  expect(waysTo(edges)).toEqual(['service:22/tcp:ssh', 'service:443/tcp:https']);
  await analyst.ok('updateAsset', { params: { id: asset.id }, body: { internetExposed: false } });
  expect(waysTo((await read()).edges)).toEqual(['asset']);
});
