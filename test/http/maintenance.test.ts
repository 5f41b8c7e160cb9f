import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import { entitiesByName } from '#functions/workers/maintenance/all-entities.ts';
import { declaredEntities } from '#infra/table-document.ts';
import { apiKeys } from '#shared/credentials/api-key.ts';
import { ensureAssets } from '#shared/findings/finding/assets.ts';
import { now } from '#shared/platform/runtime/clock.ts';
import { keysOf } from '#shared/platform/table/layout/keys.ts';
import { startSystem } from '../support/system.ts';
import { eventually, finished } from '../support/wait.ts';

const system = startSystem();

async function maintain(
  body: { work: 'rekey' | 'verify' | 'views' | 'restored'; repair?: boolean },
  inside?: Awaited<ReturnType<typeof system.newOrganization>>,
) {
  const organization = inside ?? (await system.newOrganization());
  const { taskId } = await organization.admin.ok('startMaintenance', { body });
  return { organization, task: await finished(organization.admin, taskId) };
}

test('verifying an intact organization reports no difference', async () => {
  const { task } = await maintain({ work: 'verify' });
  expect(task).toMatchObject({ status: 'succeeded', result: { unsettled: 0, differences: [] } });
  expect(task.progress).toEqual({ done: entitiesByName.size, total: entitiesByName.size, unit: 'collections' });
});

test('a wrong counter is found, named and repaired', async () => {
  const { organization } = await maintain({ work: 'verify' });
  const key = keysOf(organization.table.tenant, apiKeys).facets(0);
  await organization.table.dynamo.client.send(
    new UpdateCommand({
      TableName: organization.table.dynamo.tableName,
      Key: key,
      UpdateExpression: 'ADD #wrong :seven',
      ExpressionAttributeNames: { '#wrong': 'status:active' },
      ExpressionAttributeValues: { ':seven': 7 },
    }),
  );
  const found = await maintain({ work: 'verify', repair: true }, organization);
  expect(found.task.result).toMatchObject({
    differences: [{ kind: 'counter', attribute: 'status:active', stands: '7', expected: '0', repaired: true }],
  });
  const again = await maintain({ work: 'verify' }, organization);
  expect(again.task.result).toMatchObject({ differences: [] });
});

test('rekey reads all records and does not rewrite current ones', async () => {
  const { task } = await maintain({ work: 'rekey' });
  expect(task).toMatchObject({ status: 'succeeded', result: { seen: 2, rewritten: 0 } });
});

test('rekey makes one asset of the tags of a container image, with all their findings', async () => {
  const organization = await system.newOrganization();
  const { admin, table } = organization;
  const tagged = ['1.0', '1.1', '2.0'].map((tag) => `registry.example/shop/api:${tag}`);
  const images = tagged.map((value) => ({ type: 'container_image' as const, value, zone: null }));
  await ensureAssets(table, images, { at: now() });
  for (const { id } of (await admin.ok('listAssets')).data)
    await admin.ok('createFinding', { body: { title: 'Old', severity: 'low', assetId: id } });
  expect((await maintain({ work: 'rekey' }, organization)).task.status).toBe('succeeded');
  await eventually(async () => {
    const { data } = await admin.ok('listAssets');
    expect(data).toMatchObject([{ name: 'registry.example/shop/api', openFindings: { low: 3 } }]);
  });
});

test('views are made again beside the running service', async () => {
  const { task } = await maintain({ work: 'views' });
  expect(task).toMatchObject({ operation: 'maintenance_views', status: 'succeeded', result: { seen: 0 } });
});

test('an organization is settled after a restore without a word from its callers', async () => {
  const { task } = await maintain({ work: 'restored' });
  expect(task).toMatchObject({ operation: 'maintenance_restored', status: 'succeeded', result: { made: 0 } });
});

test('maintenance covers every collection of an organization', async () => {
  // the collections of the provider are of no organization
  const shared = ['organization', 'organization-template', 'sales-request'];
  const declared = (await declaredEntities()).map(({ name }) => name).filter((name) => !shared.includes(name));
  expect([...entitiesByName.keys()].sort()).toEqual(declared.sort());
});
