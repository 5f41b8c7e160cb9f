import { expect, test } from 'vitest';
import { assets } from '#shared/assets/asset/asset.ts';
import { applicationExclusions } from '#shared/exposure/asset-rules/application-exclusion.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import { startWork } from '../support/applications.ts';
import type { Client } from '../support/client.ts';
import { startSystem } from '../support/system.ts';
import { expectExact } from '../support/verify.ts';

const system = startSystem();

type Work = Awaited<ReturnType<typeof startWork>>;

/** The tags and links that rules and people gave to each asset. */
async function everything(analyst: Client, applicationId: string): Promise<Map<string, string>> {
  const [{ data }, mappings] = await Promise.all([
    analyst.ok('listAssets', { query: { paginateSize: 100 } }),
    analyst.call('listAssetMappings', { params: { id: applicationId } }),
  ]);
  const links = mappings.status === 200 ? (mappings.body as { assetId: string; createdAt: string }[]) : [];
  return new Map(
    data.map(({ id, ruleTags, applicationIds }) => {
      const own = links.filter(({ assetId }) => assetId === id).map(({ createdAt: _at, ...link }) => link);
      return [id, JSON.stringify([ruleTags, applicationIds, own])];
    }),
  );
}

/** Previews a change, makes it, and compares the list of the preview with the assets that are other than before. */
async function expectSame({ analyst, newest }: Work, shop: string, change: object, make: () => Promise<unknown>) {
  const before = await everything(analyst, shop);
  const { preview } = await analyst.ok('previewChange', { body: change as never });
  const list = new URL(preview?.links.list ?? '', 'http://x');
  expect(list.pathname).toBe('/api/v1/assets');
  const listed = await analyst.ok('listAssets', { query: { filter: list.searchParams.get('filter') ?? '' } });
  expect(await everything(analyst, shop)).toEqual(before);
  await make();
  await newest();
  const after = await everything(analyst, shop);
  const changed = [...before].flatMap(([id, one]) => (after.get(id) === one ? [] : [id]));
  expect({ change, ids: listed.data.map(({ id }) => id).sort() }).toEqual({ change, ids: changed.sort() });
  expect([preview?.changed, listed.totalCount]).toEqual([changed.length, changed.length]);
  return preview?.kinds;
}

test('the list of a preview has exactly the assets to which rules, exclusions and applications give or take something', async () => {
  const work = await startWork(await system.newOrganization());
  const { analyst, host, application, link } = work;
  const hosts = [];
  for (const name of ['web-1', 'web-2', 'web-3', 'db-1', 'db-2', 'lab-1']) hosts.push(await host(name));
  const shop = await application('Shop');
  const params = { id: shop };
  const env = await analyst.ok('createEnvironment', { params, body: { name: 'live' } as never });
  await link(shop, hosts[3] ?? '');

  const tagging = { name: 'web', condition: 'hostname:web-*', tags: ['web'] };
  let rule = '';
  const changes = [
    await expectSame(work, shop, { operation: 'createAssetTagRule', body: tagging }, async () => {
      rule = (await analyst.ok('createAssetTagRule', { body: tagging })).id;
    }),
    await expectSame(
      work,
      shop,
      { operation: 'updateAssetTagRule', id: rule, body: { condition: 'hostname:web-1 OR hostname:db-*' } },
      () =>
        analyst.ok('updateAssetTagRule', {
          params: { id: rule },
          body: { condition: 'hostname:web-1 OR hostname:db-*' },
        }),
    ),
  ];
  const linking = { name: 'tagged', condition: 'tag:web OR hostname:lab-*', environmentId: env.id };
  let linker = '';
  changes.push(
    await expectSame(work, shop, { operation: 'createAssetRule', ...params, body: linking }, async () => {
      linker = (await analyst.ok('createAssetRule', { params, body: linking })).id;
    }),
    // links follow from tags, which the deletion of a tag rule takes too
    await expectSame(work, shop, { operation: 'updateAssetTagRule', id: rule, body: { enabled: false } }, () =>
      analyst.ok('updateAssetTagRule', { params: { id: rule }, body: { enabled: false } }),
    ),
    await expectSame(work, shop, { operation: 'updateAssetTagRule', id: rule, body: { enabled: true } }, () =>
      analyst.ok('updateAssetTagRule', { params: { id: rule }, body: { enabled: true } }),
    ),
  );
  let exclusion = '';
  for (const body of [
    { condition: 'hostname:lab-* OR hostname:db-1', reason: 'a lab' },
    { assetId: hosts[0] ?? '', reason: 'old' },
  ]) {
    changes.push(
      await expectSame(work, shop, { operation: 'createAssetExclusion', ...params, body }, async () => {
        exclusion = (await analyst.ok('createAssetExclusion', { params, body })).id;
      }),
      await expectSame(work, shop, { operation: 'deleteAssetExclusion', ...params, exclusion_id: exclusion }, () =>
        analyst.ok('deleteAssetExclusion', { params: { ...params, exclusion_id: exclusion } }),
      ),
    );
  }
  changes.push(
    await expectSame(work, shop, { operation: 'deleteEnvironment', ...params, env_id: env.id }, () =>
      analyst.ok('deleteEnvironment', { params: { ...params, env_id: env.id } }),
    ),
    await expectSame(
      work,
      shop,
      { operation: 'updateAssetRule', ...params, rule_id: linker, body: { condition: 'hostname:web-*' } },
      () =>
        analyst.ok('updateAssetRule', {
          params: { ...params, rule_id: linker },
          body: { condition: 'hostname:web-*' },
        }),
    ),
    await expectSame(work, shop, { operation: 'deleteAssetTagRule', id: rule }, () =>
      analyst.ok('deleteAssetTagRule', { params: { id: rule } }),
    ),
    await expectSame(work, shop, { operation: 'deleteAssetRule', ...params, rule_id: linker }, () =>
      analyst.ok('deleteAssetRule', { params: { ...params, rule_id: linker } }),
    ),
    await expectSame(work, shop, { operation: 'deleteApplication', ...params }, () =>
      analyst.ok('deleteApplication', { params }),
    ),
  );
  expect(changes).toEqual([
    { added: 3 },
    { added: 2, removed: 2 },
    { added: 3 },
    { removed: 3 },
    { added: 3 },
    ...[{ removed: 1 }, { added: 1 }, { removed: 1 }, { added: 1 }],
    ...[{ other: 3 }, { added: 2, removed: 2 }, { removed: 3 }, { removed: 3 }, { removed: 1 }],
  ]);
  await expectExact(work.organization.table, [assets, applicationExclusions]);
});

test('a rule, an exclusion or an environment of another application is not found, and what the change refuses is refused', async () => {
  const { analyst, application, refused } = await startWork(await system.newOrganization());
  const [id, other] = [await application('Shop'), await application('Bank')];
  const rule = await analyst.ok('createAssetRule', { params: { id }, body: { name: 'x', condition: 'hostname:x' } });
  const preview = (body: object) => refused(analyst.call('previewChange', { body: body as never }));
  const operations = {
    deleteAssetRule: { id: other, rule_id: rule.id },
    deleteAssetExclusion: { id, exclusion_id: newId() },
    deleteEnvironment: { id, env_id: newId() },
    deleteApplication: { id: newId() },
    deleteAssetTagRule: { id: newId() },
  };
  for (const [operation, place] of Object.entries(operations))
    expect(await preview({ operation, ...place })).toEqual([400, 'not_found', undefined]);
  const body = { name: 'y', condition: 'hostname:y', environmentId: newId() };
  expect(await preview({ operation: 'createAssetRule', id, body })).toEqual([
    400,
    'validation_failed',
    'environmentId',
  ]);
  const nothing = { operation: 'createAssetExclusion', id, body: { reason: 'x' } };
  expect(await preview(nothing)).toEqual([400, 'validation_failed', 'assetId']);
});

test('a key that reads findings alone gets no previews about assets', async () => {
  const organization = await system.newOrganization();
  const body = { operation: 'deleteAssetTagRule', id: newId() } as const;
  const codes = [];
  for (const scope of ['findings:read', 'assets:read'] as const) {
    const key = await organization.apiKey([scope]);
    codes.push(Object((await key.call('previewChange', { body })).body).code);
  }
  expect(codes).toEqual(['insufficient_scope', 'not_found']);
});
