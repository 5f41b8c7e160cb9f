import * as fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { assetPlaceFollower } from '#functions/workers/views/asset-places.ts';
import { identityFollower } from '#functions/workers/views/identity/follow.ts';
import { assets } from '#shared/assets/asset/asset.ts';
import { AssetIdentifiers } from '#shared/assets/asset/asset-facts.ts';
import { mergeSuggestions } from '#shared/assets/identity/merge-suggestion.ts';
import { recordsOf } from '#shared/platform/table/selected.ts';
import { expectOwnPages, hostAt, isIn, type Placed, placed, SCOPES, shop, web } from '../support/parts.ts';
import { startSystem, type TestOrganization } from '../support/system.ts';
import { expectExact } from '../support/verify.ts';
import { follow } from '../support/vulnerabilities.ts';
import { finished } from '../support/wait.ts';

const system = startSystem();

/** The two assets of a pair have one serial number. */
const [PAIRS = []] = fc.sample(fc.array(fc.tuple(placed, placed), { minLength: 16, maxLength: 16 }), {
  numRuns: 1,
  seed: 9,
});
/** Somebody with these sees one asset of a pair by its zone, the other by its application. */
const PARTS = [...SCOPES, { zones: ['dmz'], applicationIds: [shop] }];

let organization: TestOrganization;
/** The ids of the suggestions, by the number of their pair. */
let made: string[];

const newAsset = (value: string, serialNumber: string, place: Placed) =>
  hostAt(organization.table, value, place, { identifiers: AssetIdentifiers.parse({ serialNumber }) });

const followAll = () => {
  const context = { connections: system.connections, table: organization.table };
  const followers = [identityFollower(context), assetPlaceFollower(context)];
  return follow(context, async (changes) => {
    for (const each of followers) await each(changes);
  });
};

beforeAll(async () => {
  organization = await system.newOrganization();
  const { table, admin } = organization;
  await admin.ok('updateOrganizationSettings', { body: { mergeSameAssets: false } });
  const numbers = new Map<string, number>();
  for (const [n, pair] of PAIRS.entries())
    for (const [side, place] of pair.entries())
      numbers.set((await newAsset(`web-${n}-${side}`, `5CG8431XY${n}`, place)).id, n);
  await followAll();
  const some = await recordsOf(table, mergeSuggestions);
  expect(some).toHaveLength(PAIRS.length);
  made = [];
  for (const { id, assetId } of some) made[numbers.get(assetId) ?? -1] = id;
});

test.each(PARTS)('%j has the suggestions both of whose assets it has', async (scope) => {
  const { admin } = organization;
  const person = await organization.person('viewer', scope);
  const visible = new Set(made.filter((_, n) => PAIRS[n]?.every((place) => isIn(scope, [place]))));
  expect(visible.size).toBeGreaterThan(0);
  expect(visible.size).toBeLessThan(made.length);
  const lists = {
    all: (query: never) => admin.ok('listMergeSuggestions', { query }),
    own: (query: never) => person.ok('listMergeSuggestions', { query }),
  };
  const queries = [{}, { status: 'open' }, { status: 'dismissed' }, { paginateFrom: 1, paginateSize: 2 }];
  const all = (await admin.ok('listMergeSuggestions')).data;
  const ofAssets = all.map(({ assetId }) => ({ assetId }));
  await expectOwnPages([...queries, ...ofAssets], lists, visible);
});

test('who sees both assets merges, parts and dismisses them, and nobody else in a part does', async () => {
  const [scope] = PARTS.slice(-1);
  const person = await organization.person('admin', scope);
  const stranger = await organization.person('admin', { teamIds: [web] });
  const zoned = { zone: 'dmz', applicationIds: [], ownerId: null };
  const linked = { zone: 'lab', applicationIds: [shop], ownerId: null };
  await newAsset('mine-0', 'MINE1', zoned);
  await newAsset('mine-1', 'MINE1', linked);
  await followAll();
  const [own] = (await person.ok('listMergeSuggestions')).data;
  expect(own?.asset?.name).toMatch(/^mine/);
  const params = { id: own?.id ?? '' };
  for (const operation of ['acceptMergeSuggestion', 'dismissMergeSuggestion'] as const)
    expect(await stranger.call(operation, { params })).toMatchObject({ body: { code: 'not_found' } });
  const { taskId } = await person.ok('acceptMergeSuggestion', { params });
  await finished(person, taskId);
  expect((await person.ok('listMergeSuggestions', { query: { status: 'accepted' } })).data).toMatchObject([
    { ...params, asset: null, taskId },
  ]);
  await finished(person, (await person.ok('undoAssetMerge', { params: { taskId } })).taskId);
  expect((await person.ok('listMergeSuggestions', { query: { status: 'dismissed' } })).data).toMatchObject([params]);
  const other = (await person.ok('listMergeSuggestions', { query: { status: 'open' } })).data[0];
  expect(await person.ok('dismissMergeSuggestion', { params: { id: other?.id ?? '' } })).toMatchObject({
    status: 'dismissed',
  });
  await expectExact(organization.table, [assets, mergeSuggestions]);
});

test('a suggestion follows its assets, and rekey brings those of an earlier release into their parts', async () => {
  const { table, admin } = organization;
  const person = await organization.person('viewer', { teamIds: [web] });
  const place = { zone: null, applicationIds: [], ownerId: web };
  const [one, other] = [await newAsset('moves-0', 'MOVES1', place), await newAsset('moves-1', 'MOVES1', place)];
  const count = async () => (await person.ok('listMergeSuggestions', { query: { assetId: one.id } })).data.length;
  await followAll();
  expect(await count()).toBe(1);
  const away = await table.update(assets, other, { ownerId: null });
  await followAll();
  expect(await count()).toBe(0);
  await table.update(assets, away, { ownerId: web });
  await followAll();
  expect(await count()).toBe(1);
  const listed = async () => (await person.ok('listMergeSuggestions')).data.map(({ id }) => id);
  const before = await listed();
  for (const suggestion of await recordsOf(table, mergeSuggestions))
    await table.update(mergeSuggestions, suggestion, { assetPlace: undefined, intoPlace: undefined });
  expect(await listed()).toEqual([]);
  await finished(admin, (await admin.ok('startMaintenance', { body: { work: 'rekey' } })).taskId);
  expect(await listed()).toEqual(before);
});
