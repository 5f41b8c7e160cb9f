import { expect, test } from 'vitest';
import { assets } from '#shared/assets/asset/asset.ts';
import { debian, report } from '../support/agents.ts';
import { startSystem } from '../support/system.ts';
import { followViews } from '../support/views.ts';

const system = startSystem();

const spdx = (...names: string[]) =>
  JSON.stringify({
    spdxVersion: 'SPDX-2.3',
    SPDXID: 'SPDXRef-DOCUMENT',
    packages: names.map((name) => ({
      name,
      versionInfo: '1.0',
      supplier: 'Organization: Acme',
      externalRefs: [{ referenceType: 'purl', referenceLocator: `pkg:npm/${name}@1.0` }],
    })),
  });

test('the packages of a bill of materials are listed on its repository and found by a part of their name', async () => {
  const { admin } = await system.newOrganization();
  const body = { format: 'spdx', content: spdx('left-pad', 'right-pad', 'express'), repository: 'acme/shop' };
  const { task } = await admin.ok('importFindings', { query: { waitSeconds: 20 }, body });
  expect(task).toMatchObject({ status: 'succeeded', result: { created: 0, rejectedCount: 0 } });
  const { data } = await admin.ok('listBranches');
  const params = { id: data[0]?.assetId ?? '' };
  const found = await admin.ok('listAssetSoftware', { params, query: { search: 'PAD', paginateSize: 1 } });
  expect(found).toEqual({
    data: [{ name: 'left-pad', version: '1.0', vendor: 'Acme', purl: 'pkg:npm/left-pad@1.0' }],
    page: 1,
    pageSize: 1,
    totalCount: 2,
    totalPages: 2,
  });
  expect(await admin.call('listAssetSoftware', { params, query: { search: '' } })).toMatchObject({ status: 400 });
});

test("an agent's software is beside a scanner's, and the agent's operating system counts", async () => {
  const organization = await system.newOrganization();
  const agent = await organization.machine('agent', { name: 'web-1' });
  const software = [{ name: 'openssl', version: '3.5.1' }];
  const { assetId } = await report(agent, { os: debian, hostname: 'web-1', software });
  const content = spdx('left-pad');
  const { admin } = organization;
  await admin.ok('importFindings', { query: { waitSeconds: 20 }, body: { format: 'spdx', content, target: 'web-1' } });
  const params = { id: assetId ?? '' };
  const all = await admin.ok('listAssetSoftware', { params });
  expect(all.data.map(({ name }) => name)).toEqual(['left-pad', 'openssl']);
  const asset = await organization.table.get(assets, params.id);
  expect(asset).toMatchObject({ os: { name: debian.name }, software: { count: 2 } });
  expect(asset.inventory?.map(({ source }) => source)).toEqual(['agent', 'spdx']);
  expect(await admin.ok('getInfrastructureOverview')).toMatchObject({
    operatingSystems: [{ name: debian.name, assets: 1 }],
    agents: { total: 1, online: 1 },
    unmanagedHosts: 0,
  });
});

const host = (address: string, ...ports: string[]) =>
  `<host><status state="up" reason="syn-ack"/><address addr="${address}" addrtype="ipv4"/><ports>${ports.join('')}</ports></host>`;
const port = (number: number, service: string) =>
  `<port protocol="tcp" portid="${number}"><state state="open" reason="syn-ack"/>${service}</port>`;
const nmap = (...hosts: string[]) =>
  `<?xml version="1.0"?><!DOCTYPE nmaprun><nmaprun scanner="nmap" version="7.94"><scaninfo protocol="tcp" services="1-9999"/>` +
  `${hosts.join('')}<runstats><finished exit="success"/></runstats></nmaprun>`;

test('products and services are counted over all assets, and the most widespread come first', async () => {
  const { admin, table } = await system.newOrganization();
  const ssh = port(
    22,
    '<service name="ssh" product="OpenSSH" version="9.6"><cpe>cpe:/a:openbsd:openssh:9.6</cpe></service>',
  );
  const content = nmap(
    host('192.0.2.1', port(443, '<service name="https"/>')),
    host('192.0.2.2', ssh),
    host('192.0.2.3', ssh),
  );
  await admin.ok('importFindings', { query: { waitSeconds: 20 }, body: { format: 'nmap', content } });
  await followViews({ connections: system.connections, table });
  const none = { critical: 0, high: 0, medium: 0, low: 0, info: 0 };
  const openSsh = {
    vendor: null,
    product: 'OpenSSH',
    version: '9.6',
    cpe: 'cpe:/a:openbsd:openssh:9.6',
    assets: 2,
    findings: none,
  };
  expect((await admin.ok('listProducts')).data).toEqual([openSsh]);
  const services = await admin.ok('listServices', { query: { sort: 'assets' } });
  expect(services).toMatchObject({
    data: [
      { service: 'ssh', port: 22, protocol: 'tcp', assets: 2, exposedAssets: 0 },
      { service: 'https', port: 443, protocol: 'tcp', assets: 1, exposedAssets: 0 },
    ],
    totalCount: 2,
  });
  expect((await admin.ok('listServices', { query: { search: '443' } })).data).toHaveLength(1);
  expect((await admin.ok('listProducts', { query: { search: 'open' } })).totalCount).toBe(1);
  expect(await admin.ok('getInfrastructureOverview')).toMatchObject({
    assets: await admin.ok('getAssetsSummary').then(({ asOf: _asOf, ...summary }) => summary),
    operatingSystems: [],
    products: [openSsh],
    services: services.data,
    exposedServices: 0,
    agents: { total: 0, online: 0 },
    unmanagedHosts: 3,
  });
  const { data } = await admin.ok('listAssets', { query: {} });
  const second = data.find(({ value }) => value === '192.0.2.2');
  await admin.ok('updateAsset', { params: { id: second?.id ?? '' }, body: { internetExposed: true } });
  await followViews({ connections: system.connections, table });
  const [first] = (await admin.ok('listServices', { query: { search: 'ssh' } })).data;
  expect(first).toMatchObject({ assets: 2, exposedAssets: 1 });
  expect((await admin.ok('getInfrastructureOverview')).exposedServices).toBe(1);
});
