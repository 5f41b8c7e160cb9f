import { expect, test } from 'vitest';
import { assets } from '#shared/entities/asset.ts';
import { debian, report } from '#test/support/agents.ts';
import { startSystem } from '#test/support/system.ts';

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
    ...{ page: 1, pageSize: 1, totalCount: 2, totalPages: 2 },
  });
  expect(await admin.call('listAssetSoftware', { params, query: { search: '' } })).toMatchObject({ status: 400 });
});

test("an agent's software stands beside a scanner's, and the agent's word on the system counts", async () => {
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
});
