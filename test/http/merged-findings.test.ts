import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { assets } from '#shared/assets/asset/asset.ts';
import { findings } from '#shared/findings/finding/finding.ts';
import { problems, sarif } from '../functions/workers/imports/reports.ts';
import type { Client } from '../support/client.ts';
import { startSystem } from '../support/system.ts';
import { expectExact } from '../support/verify.ts';
import { finished } from '../support/wait.ts';

const system = startSystem();

const imported = (client: Client, repository: string) =>
  client.ok('importFindings', {
    query: { waitSeconds: 20 },
    body: { format: 'sarif', content: sarif(problems(1)), repository },
  });

async function addFile(client: Client, id: string, content: string): Promise<string> {
  const sha256 = createHash('sha256').update(content).digest('hex');
  const { uploadId, parts } = await client.ok('createUpload', { body: { sizeBytes: content.length, sha256 } });
  await fetch(parts[0]?.url ?? '', { method: 'PUT', headers: parts[0]?.headers, body: content });
  await client.ok('createFindingEvidence', { params: { id }, body: { uploadId, kind: 'text', name: 'a.txt' } });
  return uploadId;
}

/** A finding with a comment and so many files on each of some assets, the oldest first. */
async function started(names: readonly string[]) {
  const { admin, table } = await system.newOrganization();
  for (const name of names) await imported(admin, `https://git.example.com/acme/${name}`);
  const listed = (await admin.ok('listFindings')).data.toReversed();
  const comment = (id: string, text: string) => admin.ok('createFindingComment', { params: { id }, body: { text } });
  for (const [n, { id }] of listed.entries()) await comment(id, names[n] ?? '');
  const shown = async (id: string) => {
    const params = { id };
    const [{ data }, files, { evidenceFiles, mergedFrom }] = await Promise.all([
      admin.ok('listFindingComments', { params }),
      admin.ok('listFindingEvidence', { params }),
      admin.ok('getFinding', { params }),
    ]);
    return { comments: data.map(({ text }) => text), files: files.map((file) => file.id), evidenceFiles, mergedFrom };
  };
  const merge = async (assetId = '', intoId = '') =>
    (await finished(admin, (await admin.ok('mergeAssets', { params: { id: assetId }, body: { intoId } })).taskId)).id;
  const undo = async (taskId: string) =>
    finished(admin, (await admin.ok('undoAssetMerge', { params: { taskId } })).taskId);
  return { admin, table, shown, merge, undo, ids: listed.map(({ id, asset }) => ({ id, assetId: asset.id })) };
}

test('nothing that people wrote of a finding is lost when it becomes one with another, and each has its own again after', async () => {
  const { admin, table, shown, merge, undo, ids } = await started(['shop', 'store']);
  const [shop, store] = ids;
  if (!shop || !store) throw new Error('two reports bring two findings');
  const [first, second] = [await addFile(admin, shop.id, 'one'), await addFile(admin, store.id, 'two')];
  const third = await addFile(admin, store.id, 'three');
  const taskId = await merge(store.assetId, shop.assetId);
  expect(await shown(shop.id)).toEqual({
    comments: ['store', 'shop'],
    files: [third, second, first],
    evidenceFiles: 3,
    mergedFrom: [store.id],
  });
  const read = { params: { id: shop.id, evidenceId: second } };
  expect(await (await fetch((await admin.ok('getFindingEvidence', read)).downloadUrl)).text()).toBe('two');
  await admin.ok('deleteFindingEvidence', read);
  const { data } = await admin.ok('listFindingComments', { params: { id: shop.id } });
  const commentId = data[0]?.id ?? '';
  await admin.ok('updateFindingComment', { params: { id: shop.id, commentId }, body: { text: 'changed' } });
  expect(await shown(shop.id)).toMatchObject({
    comments: ['changed', 'shop'],
    files: [third, first],
    evidenceFiles: 2,
  });
  await expectExact(table, [findings, assets]);
  await undo(taskId);
  expect(await shown(shop.id)).toEqual({ comments: ['shop'], files: [first], evidenceFiles: 1, mergedFrom: [] });
  expect(await shown(store.id)).toEqual({ comments: ['changed'], files: [third], evidenceFiles: 1, mergedFrom: [] });
  await expectExact(table, [findings, assets]);
});

test('of several that became one, each takes its comments and files along when it comes back', async () => {
  const { admin, shown, merge, undo, ids } = await started(['shop', 'store', 'stall']);
  const [shop, store, stall] = ids;
  if (!shop || !store || !stall) throw new Error('three reports bring three findings');
  const file = await addFile(admin, stall.id, 'one');
  const first = await merge(stall.assetId, store.assetId);
  const second = await merge(store.assetId, shop.assetId);
  expect(await shown(shop.id)).toEqual({
    comments: ['stall', 'store', 'shop'],
    files: [file],
    evidenceFiles: 1,
    mergedFrom: [store.id, stall.id],
  });
  await admin.ok('deleteFindingEvidence', { params: { id: shop.id, evidenceId: file } });
  await undo(second);
  expect(await shown(store.id)).toMatchObject({
    comments: ['stall', 'store'],
    evidenceFiles: 0,
    mergedFrom: [stall.id],
  });
  await undo(first);
  expect(await shown(stall.id)).toEqual({ comments: ['stall'], files: [], evidenceFiles: 0, mergedFrom: [] });
});
