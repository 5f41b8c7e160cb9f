import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { assetFields, assets } from '#shared/assets/asset/asset.ts';
import { type FieldsWhere, fieldsWhere } from '#shared/platform/table/field-table.ts';
import { problems, sarif } from '../functions/workers/imports/reports.ts';
import type { Client } from '../support/client.ts';
import { startSystem } from '../support/system.ts';

const system = startSystem();
const soon = { waitSeconds: 20 };

async function imported(client: Client, content: string, target: object): Promise<string> {
  const body = { format: 'auto', content, ...target };
  return (await client.ok('importFindings', { query: soon, body })).taskId;
}

async function undone(client: Client, taskId: string): Promise<unknown> {
  const { task } = await client.ok('undoImport', { params: { taskId }, query: soon });
  return Object(task?.result).assets;
}

const onlyAsset = async (client: Client): Promise<string> => (await client.ok('listAssets', {})).data[0]?.id ?? '';

type Saying = (client: Client, id: string) => Promise<unknown>;
type Said = FieldsWhere<typeof assetFields, 'saidBy', 'person'>;

const patched =
  (body: object): Saying =>
  (client, id) =>
    client.ok('updateAsset', { params: { id }, body });

const application = async (client: Client): Promise<string> =>
  (await client.ok('createApplication', { body: { name: 'Shop' } })).id;

/** How a person says each field. The compiler asks for a field that people may say from now on. */
const SAYINGS: Record<Said, Saying> = {
  name: patched({ name: 'Shop API' }),
  criticality: patched({ criticality: 'high' }),
  internetExposed: patched({ internetExposed: false }),
  tags: patched({ tags: ['shop'] }),
  identifiers: patched({ identifiers: { serialNumber: 'A-17' } }),
  cloud: patched({ cloud: { provider: 'aws' } }),
  ownerId: async (client, id) => {
    const { id: ownerId } = await client.ok('createServiceAccount', { body: { name: 'Kim', role: 'analyst' } });
    await patched({ ownerId })(client, id);
  },
  links: async (client, assetId) =>
    client.ok('createAssetMapping', { params: { id: await application(client) }, body: { assetId } }),
  exclusions: async (client, assetId) =>
    client.ok('createAssetExclusion', { params: { id: await application(client) }, body: { assetId, reason: 'test' } }),
};

test.each(fieldsWhere(assetFields, 'saidBy', 'person'))(
  'an asset whose %s a person said stays when the import that made it is undone',
  async (field) => {
    const { admin, table } = await system.newOrganization();
    const taskId = await imported(admin, sarif(problems(1)), { repository: 'shop/api' });
    const id = await onlyAsset(admin);
    await SAYINGS[field](admin, id);
    const before = await table.get(assets, id, true);
    expect(await undone(admin, taskId)).toEqual({ deleted: 0, kept: 1 });
    expect((await table.get(assets, id, true))[field]).toEqual(before[field]);
  },
);

test('an asset about which people said nothing, or took back what they said, goes with the import', async () => {
  const { admin } = await system.newOrganization();
  const taskId = await imported(admin, sarif(problems(1)), { repository: 'shop/api' });
  const id = await onlyAsset(admin);
  await patched({ tags: ['shop'], identifiers: { hostnames: ['web-1'] }, cloud: { provider: 'aws' } })(admin, id);
  await patched({ tags: [], identifiers: { hostnames: [] }, cloud: null })(admin, id);
  expect(await undone(admin, taskId)).toEqual({ deleted: 1, kept: 0 });
});

test('names, identifiers and places in a cloud that the report itself said keep no asset, and those of people do', async () => {
  const { admin } = await system.newOrganization();
  const report = await readFile('test/fixtures/reports/aws-config/snapshot.json', 'utf8');
  const taskId = await imported(admin, report, {});
  const { data, totalCount } = await admin.ok('listAssets', {});
  const described = data.filter(({ cloud, identifiers }) => cloud && identifiers.cloudResourceId);
  expect(described.length).toBeGreaterThan(1);
  await patched({ identifiers: { serialNumber: 'A-17' } })(admin, described[0]?.id ?? '');
  expect(await undone(admin, taskId)).toEqual({ deleted: totalCount - 1, kept: 1 });
});
