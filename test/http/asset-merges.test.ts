import { expect, test } from 'vitest';
import { assets } from '#shared/assets/asset/asset.ts';
import { findings } from '#shared/findings/finding/finding.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import { agents } from '#shared/scanning/agents/agent.ts';
import { nmap, problems, sarif } from '../functions/workers/imports/reports.ts';
import { debian, report } from '../support/agents.ts';
import type { Client } from '../support/client.ts';
import { startSystem } from '../support/system.ts';
import { expectExact } from '../support/verify.ts';
import { finished, until } from '../support/wait.ts';

const system = startSystem();
const soon = { waitSeconds: 20 };

const imported = (client: Client, repository: string, count: number) =>
  client.ok('importFindings', { query: soon, body: { format: 'sarif', content: sarif(problems(count)), repository } });

async function assetIds(client: Client): Promise<Record<string, string>> {
  const { data } = await client.ok('listFindings', { query: { paginateSize: 500 } });
  return Object.fromEntries(data.map(({ asset }) => [asset.name.split('/').at(-1) ?? '', asset.id]));
}

test('an administrator merges two assets that are one, and parts them again', async () => {
  const { admin, table } = await system.newOrganization();
  await imported(admin, 'https://git.example.com/acme/shop', 4);
  await imported(admin, 'https://git.example.com/acme/store', 6);
  const { shop = '', store = '' } = await assetIds(admin);
  const queued = await admin.ok('mergeAssets', { params: { id: store }, body: { intoId: shop } });
  expect(queued.resource).toEqual({ type: 'asset', id: shop });
  expect(await finished(admin, queued.taskId)).toMatchObject({
    operation: 'merge_assets',
    result: { findings: 6, moved: 2, merged: 4 },
    progress: { done: 6, total: 6, unit: 'findings' },
  });
  expect((await admin.ok('listFindings', { query: { assetId: shop } })).totalCount).toBe(6);
  const survivor = await admin.ok('getAsset', { params: { id: shop } });
  expect(survivor.mergedFrom).toMatchObject([{ id: store, type: 'repository', taskId: queued.taskId }]);
  expect(await admin.ok('updateAsset', { params: { id: shop }, body: survivor })).toMatchObject({
    version: survivor.version,
  });
  const read = async () =>
    (await admin.ok('listChanges', { query: { entity: 'asset' } })).data.filter(
      ({ operation }) => operation === 'mergeAssets',
    );
  const told = await until(read, (some) => some.length >= 2);
  expect(told.map(({ kind, id }) => [kind, id]).sort()).toEqual(
    [
      ['deleted', store],
      ['updated', shop],
    ].sort(),
  );
  await expectExact(table, [findings, assets]);
  const undoing = await admin.ok('undoAssetMerge', { params: { taskId: queued.taskId } });
  expect((await admin.ok('undoAssetMerge', { params: { taskId: queued.taskId } })).taskId).toBe(undoing.taskId);
  expect(await finished(admin, undoing.taskId)).toMatchObject({ result: { findings: 6, returned: 2, parted: 4 } });
  expect((await admin.ok('listFindings', { query: { assetId: store } })).totalCount).toBe(6);
  expect(await assetIds(admin)).toEqual({ shop, store });
  expect(await admin.ok('getAsset', { params: { id: shop } })).toMatchObject({ mergedFrom: [] });
  await expectExact(table, [findings, assets]);
});

test('an asset is not merged into itself, into none, by others, nor into one with another agent', async () => {
  const [own, others] = [await system.newOrganization(), await system.newOrganization()];
  await imported(own.admin, 'https://git.example.com/acme/shop', 1);
  const { shop = '' } = await assetIds(own.admin);
  const host = { type: 'host' as const, value: 'web-1', name: 'web-1', zone: null, criticality: 'medium' as const };
  const more = { internetExposed: null, tags: [], firstSeenAt: '2026-01-05T08:00:00.000Z', agentId: newId() };
  const { id } = await own.table.create(assets, { ...host, ...more });
  const other = await own.table.create(assets, { ...host, ...more, value: 'web-2', agentId: newId() });
  const tried = (client: Client, assetId: string, intoId: string) =>
    client.call('mergeAssets', { params: { id: assetId }, body: { intoId } });
  const answers = [
    await tried(own.admin, shop, shop),
    await tried(own.admin, shop, newId()),
    await tried(own.admin, id, other.id),
    await tried(others.admin, shop, id),
    await tried(await own.withRole('analyst'), shop, id),
    await own.admin.call('undoAssetMerge', { params: { taskId: newId() } }),
  ];
  expect(answers.map(({ body }) => ('code' in body ? body.code : 'accepted'))).toEqual([
    'validation_failed',
    'not_found',
    'conflict',
    'not_found',
    'insufficient_scope',
    'not_found',
  ]);
  expect((await own.table.list(assets, { paginateFrom: 0, paginateSize: 10 })).totalCount).toBe(3);
});

/** All that a user sees of the assets, without what the clock and versions say. */
const shown = async (client: Client) =>
  Object.fromEntries(
    await Promise.all(
      (await client.ok('listAssets')).data.map(async ({ id, value }) => {
        const {
          version: _version,
          updatedAt: _updatedAt,
          lastSeenAt: _lastSeenAt,
          ...asset
        } = await client.ok('getAsset', {
          params: { id },
        });
        const { data } = await client.ok('listAssetSoftware', { params: { id } });
        return [value, { ...asset, list: data.map(({ name }) => name) }];
      }),
    ),
  );

const inventoryOf = (client: Client, item: object) =>
  client.ok('importFindings', {
    query: soon,
    body: { format: 'inventory', content: JSON.stringify({ assets: [{ type: 'host', ...item }] }) },
  });

test('a merge brings services, software, identifiers, tags, tools and the agent along, and parting leaves what was', async () => {
  const { admin, table, ...organization } = await system.newOrganization();
  const agent = await organization.machine('agent', { name: 'web-01' });
  const software = [{ name: 'openssl', version: '3.0.2' }];
  await report(agent, { hostname: 'web-01', os: debian, software, macs: ['0a:1b:2c:3d:4e:5f'] });
  const content = nmap([{ address: '10.0.0.7', ports: [22, 80] }]);
  await admin.ok('importFindings', { query: soon, body: { format: 'nmap', content } });
  const ids = Object.fromEntries((await admin.ok('listAssets')).data.map(({ id, value }) => [value, id]));
  const [host = '', scanned = ''] = [ids['web-01'], ids['10.0.0.7']];
  const body = { tags: ['dmz'], identifiers: { serialNumber: '5CG8431XYZ', ips: ['10.0.0.7'] } };
  await admin.ok('updateAsset', { params: { id: host }, body });
  const before = await shown(admin);
  const { taskId } = await admin.ok('mergeAssets', { params: { id: host }, body: { intoId: scanned } });
  await finished(admin, taskId);
  expect(await shown(admin)).toEqual({
    '10.0.0.7': expect.objectContaining({
      aliases: [{ type: 'host', value: 'web-01', zone: null }],
      tags: ['dmz'],
      sources: ['agent', 'nmap'],
      agentId: agent.id,
      os: { family: 'linux', name: 'Debian', version: '13' },
      list: ['openssl'],
      identifiers: expect.objectContaining({ macs: ['0a:1b:2c:3d:4e:5f'], serialNumber: '5CG8431XYZ' }),
      services: [expect.objectContaining({ port: 22 }), expect.objectContaining({ port: 80 })],
    }),
  });
  expect((await admin.ok('getAgent', { params: { id: agent.id } })).assetId).toBe(scanned);
  await expectExact(table, [findings, assets, agents]);
  const undoing = await admin.ok('undoAssetMerge', { params: { taskId } });
  await finished(admin, undoing.taskId);
  expect(await shown(admin)).toEqual(before);
  expect((await admin.ok('getAgent', { params: { id: agent.id } })).assetId).toBe(host);
  await expectExact(table, [findings, assets, agents]);
});

test("a tool's report after a merge replaces its reports on both assets, and other tools' additions stay when the assets are separated", async () => {
  const { admin, table } = await system.newOrganization();
  const ports = (...all: number[]) => ({ services: all.map((port) => ({ port, protocol: 'tcp' })) });
  await inventoryOf(admin, { value: 'one', ...ports(22, 80) });
  await inventoryOf(admin, { value: 'two', ...ports(8080), identifiers: { ips: ['10.0.0.7'] } });
  const { one, two } = Object.fromEntries((await admin.ok('listAssets')).data.map(({ id, value }) => [value, id]));
  const portsOf = async (id = '') =>
    (await admin.ok('getAsset', { params: { id } })).services?.map(({ port }) => port) ?? [];
  const merge = await admin.ok('mergeAssets', { params: { id: two ?? '' }, body: { intoId: one ?? '' } });
  await finished(admin, merge.taskId);
  expect(await portsOf(one)).toEqual([22, 80, 8080]);
  // the same as before the merge, which says what there is under both names
  await inventoryOf(admin, { value: 'one', ...ports(22, 80) });
  expect(await portsOf(one)).toEqual([22, 80]);
  await inventoryOf(admin, { value: 'two', ...ports(22, 443), identifiers: { ips: ['10.0.0.8'] } });
  expect(await portsOf(one)).toEqual([22, 443]);
  await admin.ok('updateAsset', { params: { id: one ?? '' }, body: { tags: ['dmz'] } });
  await finished(admin, (await admin.ok('undoAssetMerge', { params: { taskId: merge.taskId } })).taskId);
  expect([await portsOf(one), await portsOf(two)]).toEqual([[22, 443], [8080]]);
  const { tags, identifiers } = await admin.ok('getAsset', { params: { id: one ?? '' } });
  expect([tags, identifiers.ips]).toEqual([['dmz'], ['10.0.0.8']]);
  await expectExact(table, [assets]);
});
