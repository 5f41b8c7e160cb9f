import { afterAll, expect, test } from 'vitest';
import { type Asset, assets } from '#shared/assets/asset/asset.ts';
import { mergedAssets } from '#shared/assets/asset/merged-asset.ts';
import { assetHistory } from '#shared/exposure/asset-actions/asset-history.ts';
import { queueMerge } from '#shared/exposure/asset-actions/merge.ts';
import { queueMergeUndo } from '#shared/exposure/asset-actions/undo.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { startWorld } from '../imports/world.ts';

const world = await startWorld();
afterAll(() => world.stop());

const seen = '2026-01-05T08:00:00.000Z';
const host = (value: string) => ({ type: 'host', value, zone: null }) as const;
const make = (table: Table, value: string, fields: Partial<Asset> = {}) =>
  table.create(assets, {
    ...host(value),
    name: value,
    criticality: 'medium',
    internetExposed: null,
    tags: [],
    firstSeenAt: seen,
    ...fields,
  });
const history = (table: Table, id: string) => table.rows(assetHistory).query(id, { consistent: true });

async function merge(table: Table, asset: Asset, into: Asset, because?: string): Promise<string> {
  const more = because === undefined ? {} : { because };
  const { taskId } = await queueMerge(
    { connections: world.connections, table },
    { assetId: asset.id, intoId: into.id },
    more,
  );
  await world.drain();
  return taskId;
}
async function undo(table: Table, taskId: string): Promise<string> {
  const queued = await queueMergeUndo({ connections: world.connections, table }, taskId);
  await world.drain();
  return queued.taskId;
}

test('the history of both assets has only the changes of a merge, its reason, and its undoing', async () => {
  const table = world.newOrganization();
  const into = await make(table, 'one', { tags: ['a'], ownerId: 'ann', internetExposed: true, lastSeenAt: seen });
  const asset = await make(table, 'two', { tags: ['b'], ownerId: 'bea', internetExposed: false, lastSeenAt: seen });
  const taskId = await merge(table, asset, into, 'Their serial number is the same.');
  const [told, ...others] = await history(table, into.id);
  expect(others).toEqual([]);
  expect(told).toMatchObject({
    assetId: into.id,
    version: 2,
    by: table.actor,
    taskId,
    reason: `The asset ${asset.id} was merged into it. Their serial number is the same.`,
  });
  expect(told?.changes).toEqual({
    aliases: { from: null, to: [host('two')] },
    tags: { from: ['a'], to: ['a', 'b'] },
    sources: { from: null, to: [] },
  });
  const mergedInto = { assetId: into.id, taskId, at: told?.at };
  expect(await history(table, asset.id)).toMatchObject([
    {
      version: 2,
      taskId,
      changes: { mergedInto: { from: null, to: mergedInto } },
      reason: `It was merged into the asset ${into.id}. Their serial number is the same.`,
    },
  ]);
  expect(await table.get(mergedAssets, asset.id, true)).toMatchObject({ mergedInto, version: 2 });
  const undoing = await undo(table, taskId);
  const reason = 'The merge of the two assets was undone.';
  expect((await history(table, into.id)).at(-1)).toMatchObject({
    version: 3,
    taskId: undoing,
    reason,
    changes: { aliases: { from: [host('two')], to: [] } },
  });
  expect((await history(table, asset.id)).at(-1)).toMatchObject({
    version: 3,
    taskId: undoing,
    reason,
    changes: { mergedInto: { from: mergedInto, to: null } },
  });
  const { version: _v, updatedAt: _u, ...back } = await table.get(assets, into.id, true);
  const { version: _w, updatedAt: _t, ...before } = into;
  expect(back).toEqual(before);
});

test('two assets that are parted have each its own names again, and what people changed meanwhile stays', async () => {
  const table = world.newOrganization();
  const into = await make(table, 'one', { aliases: [host('uno')] });
  const asset = await make(table, 'two', { aliases: [host('due')], ownerId: 'bea' });
  const taskId = await merge(table, asset, into);
  const merged = await table.get(assets, into.id, true);
  expect(merged).toMatchObject({ aliases: [host('uno'), host('two'), host('due')], ownerId: 'bea' });
  expect((await history(table, into.id))[0]?.reason).toBe(`The asset ${asset.id} was merged into it.`);
  await table.modify(assets, into.id, () => ({ ownerId: 'cid', criticality: 'high' as const }));
  await undo(table, taskId);
  expect(await table.get(assets, into.id, true)).toMatchObject({
    aliases: [host('uno')],
    ownerId: 'cid',
    criticality: 'high',
  });
  expect(await table.get(assets, asset.id, true)).toMatchObject({ aliases: [host('due')], ownerId: 'bea' });
  expect((await table.get(assets, asset.id, true)).mergedInto).toBeUndefined();
  expect(await table.find(mergedAssets, asset.id, true)).toBeUndefined();
});

test('an asset is not merged into itself, and further writes of a merge are written with it', async () => {
  const table = world.newOrganization();
  const [one, two] = [await make(table, 'one'), await make(table, 'two')];
  const same = { assetId: one.id, intoId: one.id };
  await expect(queueMerge({ connections: world.connections, table }, same)).rejects.toMatchObject({
    details: [{ path: 'intoId' }],
  });
  const told: string[] = [];
  const more = { also: (_: unknown, taskId: string) => void told.push(taskId) };
  const queued = await queueMerge({ connections: world.connections, table }, { assetId: two.id, intoId: one.id }, more);
  expect(told).toEqual([queued.taskId]);
  await world.drain();
});
