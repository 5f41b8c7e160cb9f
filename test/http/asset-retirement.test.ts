import { expect, test } from 'vitest';
import { assets } from '#shared/assets/asset/asset.ts';
import { findings } from '#shared/findings/finding/finding.ts';
import { inSeconds } from '#shared/platform/runtime/clock.ts';
import { findingDraft } from '../support/findings.ts';
import { startSystem } from '../support/system.ts';
import { expectExact } from '../support/verify.ts';
import { finished } from '../support/wait.ts';

const system = startSystem();

test('a person retires an asset that is gone, once, and not one on which an agent reports', async () => {
  const own = await system.newOrganization();
  const { id, type, name, zone } = await own.admin.ok('createAsset', { body: { type: 'host', value: 'gone-1' } });
  const made = await own.table.create(findings, findingDraft(inSeconds(-86_400), { asset: { id, type, name, zone } }));
  const viewer = await own.withRole('viewer');
  expect(await viewer.call('retireAsset', { params: { id } })).toMatchObject({ body: { code: 'insufficient_scope' } });
  const { taskId, resource } = await own.admin.ok('retireAsset', { params: { id } });
  expect(resource).toEqual({ type: 'asset', id });
  expect(await finished(own.admin, taskId)).toMatchObject({ result: { changed: 1 } });
  const { mergedFrom, links, ...retired } = await own.admin.ok('getAsset', { params: { id } });
  // which lists leave out
  expect([mergedFrom, Object.keys(links?.list ?? {})]).toEqual([[], expect.any(Array)]);
  expect(retired).toMatchObject({ status: 'retired', retiredAt: expect.any(String), openFindings: { high: 0 } });
  expect((await own.admin.ok('listAssets', { query: { status: 'retired' } })).data).toEqual([retired]);
  expect((await own.admin.ok('listFindings', {})).totalCount).toBe(0);
  expect((await own.admin.ok('getFinding', { params: { id: made.id } })).title).toBe(made.title);
  expect(await own.admin.call('retireAsset', { params: { id } })).toMatchObject({ body: { code: 'conflict' } });
});

test('an asset that was retired by mistake comes back with its findings, once', async () => {
  const { admin, table } = await system.newOrganization();
  const { id, type, name, zone } = await admin.ok('createAsset', { body: { type: 'host', value: 'here-1' } });
  const made = await table.create(findings, findingDraft(inSeconds(-86_400), { asset: { id, type, name, zone } }));
  const before = await admin.ok('getAsset', { params: { id } });
  await finished(admin, (await admin.ok('retireAsset', { params: { id } })).taskId);
  const { taskId } = await admin.ok('returnAsset', { params: { id } });
  expect(await finished(admin, taskId)).toMatchObject({ result: { returned: 1 } });
  const after = await admin.ok('getAsset', { params: { id } });
  expect(after).toMatchObject({ status: before.status, retiredAt: null, openFindings: { high: 1 } });
  expect((await admin.ok('listFindings', {})).data).toMatchObject([{ id: made.id, status: 'open' }]);
  expect(await admin.call('returnAsset', { params: { id } })).toMatchObject({ body: { code: 'conflict' } });
  await expectExact(table, [findings, assets]);
});
