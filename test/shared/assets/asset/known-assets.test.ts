import { expect, test } from 'vitest';
import { type Asset, assetKey, assets } from '#shared/assets/asset/asset.ts';
import { type KnownAssets, learnKnownAssets, namedAsset, readAssets } from '#shared/assets/asset/known-assets.ts';
import { ensureAssets } from '#shared/findings/finding/assets.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { newOrganization, useStore } from '../../../support/store.ts';
import { timersOf } from '../../../support/timers.ts';

const store = useStore();
const seen = '2026-01-05T08:00:00.000Z';
const at = '2026-03-05T08:00:00.000Z';
const host = (value: string, zone: string | null = null) => ({ type: 'host', value, zone }) as const;
const make = (table: Table, value: string, fields: Partial<Asset> = {}) =>
  table.create(assets, {
    ...host(value),
    name: value,
    criticality: 'high',
    internetExposed: null,
    tags: [],
    firstSeenAt: seen,
    ...fields,
  });
const count = async (table: Table) => (await table.list(assets, { paginateFrom: 0, paginateSize: 1 })).totalCount;

test('assets of findings are found under every name, and those that nobody knew are made, each once', async () => {
  const table = newOrganization(store.dynamo);
  const one = await make(table, 'one', { aliases: [host('uno')] });
  const importId = newId();
  const known: KnownAssets = new Map();
  const toolsOf = (key: string) => (key === assetKey(host('new')) ? ['zap', 'nmap', 'zap'] : []);
  const wanted = [host('uno'), host('new'), host('new'), host('new', 'plant')];
  const found = await ensureAssets(table, wanted, { at, known, toolsOf, importId });
  expect(found.size).toBe(3);
  expect(found.get(assetKey(host('uno')))).toEqual({ id: one.id, type: 'host', name: 'one', zone: null });
  const made = found.get(assetKey(host('new')));
  expect(made).toMatchObject({ name: 'new', zone: null });
  expect(await table.get(assets, made?.id ?? '', true)).toMatchObject({
    ...host('new'),
    name: 'new',
    criticality: 'medium',
    internetExposed: null,
    tags: [],
    importId,
    firstSeenAt: at,
    lastSeenAt: at,
    sources: ['nmap', 'zap'],
  });
  expect(await table.get(assets, one.id, true)).toEqual(one);
  expect([...known.values()].map((asset) => asset?.id).toSorted()).toEqual(
    [...found.values()].map(({ id }) => id).toSorted(),
  );
  expect(await count(table)).toBe(3);
  expect(await ensureAssets(table, wanted, { at, known })).toEqual(found);
  expect(await ensureAssets(table, wanted, { at })).toEqual(found);
  expect(await count(table)).toBe(3);
});

test('two imports that bring an asset at once share it', async () => {
  const table = newOrganization(store.dynamo);
  const wanted = ['a', 'b', 'c'].map((value) => host(value));
  const [one, two] = await Promise.all([ensureAssets(table, wanted, { at }), ensureAssets(table, wanted, { at })]);
  expect(one).toEqual(two);
  expect(await count(table)).toBe(3);
});

test('the service looks each day after the assets of an organization, from the first one on', async () => {
  const table = newOrganization(store.dynamo);
  const kinds = async () => (await timersOf(table)).map(({ kind }) => kind);
  await ensureAssets(table, [], { at });
  expect(await kinds()).toEqual([]);
  await ensureAssets(table, [host('one')], { at });
  expect(await kinds()).toEqual(['asset']);
});

test('an asset is looked for once, and again only where it did not exist', async () => {
  const table = newOrganization(store.dynamo);
  const [there, late] = [assetKey(host('there')), assetKey(host('late'))];
  const { id } = await make(table, 'there');
  const known: KnownAssets = new Map();
  await learnKnownAssets(table, known, [there, late, there]);
  expect([...known]).toEqual([
    [there, { id }],
    [late, undefined],
  ]);
  const made = await make(table, 'late', { aliases: [host('tardy')] });
  await learnKnownAssets(table, known, [there, late]);
  expect(known.get(late)).toBeUndefined();
  known.set(there, { id: 'kept' });
  await learnKnownAssets(table, known, [there, late], true);
  expect([known.get(there), known.get(late)?.id]).toEqual([{ id: 'kept' }, made.id]);
});

test('only an asset of several names is read whole, by which its findings are recognised', async () => {
  const table = newOrganization(store.dynamo);
  const plain = await make(table, 'plain');
  const several = await make(table, 'several', { aliases: [host('other'), host('third')] });
  const keys = [host('plain'), host('other'), host('none')].map(assetKey);
  const known = await readAssets(table, keys, true);
  expect([...known.values()]).toEqual([{ id: plain.id }, { id: several.id, asset: expect.anything() }, undefined]);
  expect(namedAsset(known, host('other'))).toEqual({
    identity: host('several'),
    aliases: [host('other'), host('third')],
  });
  expect(namedAsset(known, host('plain'))).toEqual({ identity: host('plain'), aliases: [] });
  expect(namedAsset(known, host('none'))).toEqual({ identity: host('none'), aliases: [] });
});
