import { expect, test } from 'vitest';
import { assets } from '#shared/assets/asset/asset.ts';
import { now } from '#shared/platform/runtime/clock.ts';
import type { Software } from '#shared/reports/report/report.ts';
import { debian, expectExactCounters, report } from '../support/agents.ts';
import { bare } from '../support/bare.ts';
import { startSystem } from '../support/system.ts';

const system = startSystem();

test('the catalogues list the operating systems of assets and agents, most frequent first', async () => {
  const organization = await system.newOrganization();
  const old = await organization.machine('agent', { name: 'old' });
  await report(old, { os: { ...debian, version: '12' }, hostname: 'old' });
  for (const hostname of ['one', 'two']) {
    const agent = await organization.machine('agent', { name: hostname });
    await report(agent, { os: debian, hostname });
  }
  const system13 = { family: 'linux', name: 'Debian', version: '13' };
  const viewer = await organization.withRole('viewer');
  expect(bare(await viewer.ok('listOperatingSystems'))).toEqual([
    { ...system13, assets: 2 },
    { ...system13, version: '12', assets: 1 },
  ]);
  await report(old, { os: debian });
  await organization.admin.ok('deleteAgent', { params: { id: old.id } });
  const key = await organization.apiKey(['assets:read']);
  expect(bare(await key.ok('listAgentOperatingSystems'))).toEqual([{ ...system13, agents: 2 }]);
  expect(bare(await key.ok('listOperatingSystems'))).toEqual([{ ...system13, assets: 3 }]);
  await expectExactCounters(organization);
});

test('the software of a host is stored, listed and counted, and requested again when it is unknown', async () => {
  const organization = await system.newOrganization();
  const agent = await organization.machine('agent', { name: 'host' });
  const software: Software[] = [
    { name: 'openssl', version: '3.5.1', vendor: 'Debian', purl: 'pkg:deb/debian/openssl@3.5.1' },
    { name: 'nginx', version: '1.28.0' },
  ];
  const first = await report(agent, { os: debian, hostname: 'web-1', software });
  expect(first).toMatchObject({ accepted: { software: 2 }, softwareWanted: false });
  const asset = await organization.table.get(assets, first.assetId ?? '');
  expect(asset.software).toEqual({ count: 2, changedAt: expect.any(String) });
  await report(agent, { software: software.toReversed() });
  expect(await organization.table.get(assets, asset.id)).toEqual(asset);
  const params = { id: agent.id };
  const page = await organization.admin.ok('listAgentSoftware', { params, query: { paginateSize: 1 } });
  expect(page).toMatchObject({ totalCount: 2, totalPages: 2, data: [{ name: 'nginx', version: '1.28.0' }] });
  await organization.admin.ok('updateAgent', { params, body: { zone: 'dmz' } });
  const moved = await report(agent);
  expect(moved).toMatchObject({ softwareWanted: true });
  expect(moved.assetId).not.toBe(asset.id);
  expect(await report(agent, { software })).toMatchObject({ assetId: moved.assetId, softwareWanted: false });
  expect(await organization.table.get(assets, asset.id)).toMatchObject({ zone: null, agentId: null });
});

test('an agent adopts the asset that a scan created for its host', async () => {
  const organization = await system.newOrganization();
  const { table } = organization;
  const known = await table.create(assets, {
    type: 'host',
    value: 'web-1',
    name: 'web-1',
    zone: null,
    criticality: 'high',
    internetExposed: true,
    tags: ['shop'],
    firstSeenAt: now(),
  });
  const agent = await organization.machine('agent', { name: 'host' });
  expect(await report(agent, { os: debian, hostname: 'web-1' })).toMatchObject({ assetId: known.id });
  expect(await table.get(assets, known.id)).toMatchObject({ criticality: 'high', tags: ['shop'], agentId: agent.id });
});

test('two hosts with the same name in one zone are two assets', async () => {
  const organization = await system.newOrganization();
  const [one, two] = [await organization.machine('agent'), await organization.machine('agent')];
  const [first, second] = [await report(one, { hostname: 'localhost' }), await report(two, { hostname: 'localhost' })];
  expect(second.assetId).not.toBe(first.assetId);
  expect(await report(two, { os: debian })).toMatchObject({ assetId: second.assetId });
  expect(await report(one, { os: debian })).toMatchObject({ assetId: first.assetId });
  await expectExactCounters(organization);
});

test('simultaneous first reports of an agent create one asset', async () => {
  const organization = await system.newOrganization();
  const agent = await organization.machine('agent');
  const answers = await Promise.all(Array.from({ length: 5 }, () => report(agent, { hostname: 'web-1', os: debian })));
  expect(new Set(answers.map(({ assetId }) => assetId)).size).toBe(1);
  expect((await organization.table.list(assets, { paginateFrom: 0, paginateSize: 10 })).totalCount).toBe(1);
  await expectExactCounters(organization);
});
