import { expect, test } from 'vitest';
import { assets } from '#shared/entities/asset.ts';
import { findings } from '#shared/entities/finding.ts';
import { newId } from '#shared/runtime/ids.ts';
import type { Client } from '#test/support/client.ts';
import { startSystem } from '#test/support/system.ts';
import { expectExact } from '#test/support/verify.ts';
import { finished, until } from '#test/support/wait.ts';
import { problems, sarif } from '../functions/workers/ingest/reports.ts';

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
  await expectExact(table, [findings, assets]);
});

test('an asset is not merged into itself, into none, by others, nor away from its agent', async () => {
  const [own, other] = [await system.newOrganization(), await system.newOrganization()];
  await imported(own.admin, 'https://git.example.com/acme/shop', 1);
  const { shop = '' } = await assetIds(own.admin);
  const host = { type: 'host' as const, value: 'web-1', name: 'web-1', zone: null, criticality: 'medium' as const };
  const more = { internetExposed: null, tags: [], firstSeenAt: '2026-01-05T08:00:00.000Z', agentId: newId() };
  const { id } = await own.table.create(assets, { ...host, ...more });
  const tried = (client: Client, assetId: string, intoId: string) =>
    client.call('mergeAssets', { params: { id: assetId }, body: { intoId } });
  const answers = [
    await tried(own.admin, shop, shop),
    await tried(own.admin, shop, newId()),
    await tried(own.admin, id, shop),
    await tried(other.admin, shop, id),
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
  expect((await own.table.list(assets, { paginateFrom: 0, paginateSize: 10 })).totalCount).toBe(2);
});
