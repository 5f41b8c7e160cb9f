import { expect, test } from 'vitest';
import { findings } from '#shared/findings/finding/finding.ts';
import { inSeconds } from '#shared/platform/runtime/clock.ts';
import { findingDraft } from '../support/findings.ts';
import { startSystem } from '../support/system.ts';
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
  const { mergedFrom, ...retired } = await own.admin.ok('getAsset', { params: { id } });
  expect(mergedFrom).toEqual([]); // which lists leave out
  expect(retired).toMatchObject({ status: 'retired', retiredAt: expect.any(String), openFindings: { high: 0 } });
  expect((await own.admin.ok('listAssets', { query: { status: 'retired' } })).data).toEqual([retired]);
  expect((await own.admin.ok('listFindings', {})).totalCount).toBe(0);
  expect((await own.admin.ok('getFinding', { params: { id: made.id } })).title).toBe(made.title);
  expect(await own.admin.call('retireAsset', { params: { id } })).toMatchObject({ body: { code: 'conflict' } });
});
