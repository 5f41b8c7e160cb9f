import { expect, test } from 'vitest';
import { assets } from '#shared/assets/asset/asset.ts';
import { findings } from '#shared/findings/finding/finding.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import { problems, sarif } from '../functions/workers/imports/reports.ts';
import type { Client } from '../support/client.ts';
import { startSystem } from '../support/system.ts';
import { expectExact } from '../support/verify.ts';
import { finished } from '../support/wait.ts';

const system = startSystem();
const soon = { waitSeconds: 20 };

const imported = (client: Client, repository: string, count: number) =>
  client.ok('importFindings', { query: soon, body: { format: 'sarif', content: sarif(problems(count)), repository } });

async function assetsOf(client: Client): Promise<Record<string, { id: string; findings: number }>> {
  const { data } = await client.ok('listFindings', { query: { paginateSize: 500 } });
  const byName = Map.groupBy(data, ({ asset }) => asset.name.split('/').at(-1) ?? '');
  return Object.fromEntries(
    [...byName].map(([name, all]) => [name, { id: all[0]?.asset.id ?? '', findings: all.length }]),
  );
}

test('an asset that was a mistake goes with its findings, and nothing else does', async () => {
  const { admin, table } = await system.newOrganization();
  await imported(admin, 'https://git.example.com/acme/shop', 3);
  await imported(admin, 'https://git.example.com/acme/shpo', 120);
  const { shop, shpo } = await assetsOf(admin);
  const queued = await admin.ok('deleteAsset', { params: { id: shpo?.id ?? '' } });
  expect(queued.resource).toEqual({ type: 'asset', id: shpo?.id });
  expect(await finished(admin, queued.taskId)).toMatchObject({
    operation: 'delete_asset',
    result: { deleted: 120 },
    progress: { done: 120, total: 120, unit: 'findings' },
  });
  expect(await assetsOf(admin)).toEqual({ shop });
  expect((await admin.ok('listFindings', { query: { assetId: shpo?.id } })).totalCount).toBe(0);
  const again = await admin.call('deleteAsset', { params: { id: shpo?.id ?? '' } });
  expect(again).toMatchObject({ status: 400, body: { code: 'not_found' } });
  await expectExact(table, [findings, assets]);
});

test('a report that names the deleted asset makes it and its findings again', async () => {
  const { admin, table } = await system.newOrganization();
  await imported(admin, 'acme/shop', 2);
  const before = await assetsOf(admin);
  const { taskId } = await admin.ok('deleteAsset', { params: { id: before.shop?.id ?? '' } });
  await finished(admin, taskId);
  const { task } = await imported(admin, 'acme/shop', 2);
  expect(task?.result).toMatchObject({ created: 2, unchanged: 0 });
  const after = await assetsOf(admin);
  expect(after.shop?.id).not.toBe(before.shop?.id);
  const { data } = await admin.ok('listFindings', {});
  expect(data.map(({ occurrences }) => occurrences)).toEqual([1, 1]);
  await expectExact(table, [findings, assets]);
});

test('the asset of an agent stays, and so does one of another organization or for one who is no administrator', async () => {
  const [own, other] = [await system.newOrganization(), await system.newOrganization()];
  const at = '2026-01-05T08:00:00.000Z';
  const draft = { type: 'host' as const, value: 'web-1', name: 'web-1', zone: null, criticality: 'medium' as const };
  const more = { internetExposed: null, tags: [], firstSeenAt: at };
  const { id } = await own.table.create(assets, { ...draft, ...more, agentId: newId() });
  const answers = [
    await own.admin.call('deleteAsset', { params: { id } }),
    await other.admin.call('deleteAsset', { params: { id } }),
    await (await own.withRole('analyst')).call('deleteAsset', { params: { id } }),
  ];
  expect(answers.map(({ body }) => ('code' in body ? body.code : body.status))).toEqual([
    'conflict',
    'not_found',
    'insufficient_scope',
  ]);
  expect(await own.table.get(assets, id)).toMatchObject({ id });
});
