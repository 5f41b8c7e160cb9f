import { expect, test } from 'vitest';
import { type Asset, assets, tagsOf } from '#shared/assets/asset/asset.ts';
import { concerning } from '#shared/exposure/asset-actions/asset-change.ts';
import { assetsBehind } from '#shared/findings/branches/tried-rules.ts';
import { DEFAULT_POLICIES, learnForDates, learnTraits, readSla, slaRows } from '#shared/findings/sla/sla-policies.ts';
import { suppressNew } from '#shared/findings/suppression/new-findings.ts';
import { readRules } from '#shared/findings/suppression/stored.ts';
import { type SuppressionRule, suppressionRules } from '#shared/findings/suppression/suppression-rule.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { findingDraft } from '../../../support/findings.ts';
import { newOrganization, useStore } from '../../../support/store.ts';

const store = useStore();
const seen = '2026-01-05T08:00:00.000Z';

const makeAsset = (table: Table, value: string, fields: Partial<Asset> = {}) =>
  table.create(assets, {
    type: 'host',
    value,
    name: value,
    zone: null,
    criticality: 'medium',
    internetExposed: null,
    tags: [],
    firstSeenAt: seen,
    ...fields,
  });
const makeRule = (table: Table, conditions: SuppressionRule['conditions'], order = 100) =>
  table.create(suppressionRules, {
    name: 'Lab',
    enabled: true,
    conditions,
    status: 'out_of_scope',
    reason: 'a laboratory',
    expiresAt: null,
    order,
    approver: { id: 'ann', name: 'Ann' },
    taskId: newId(),
  });
const on = ({ id, type, name, zone }: Asset) => ({ id, type, name, zone });

test('the tags of assets are known to rules where one of several asks for them', async () => {
  const table = newOrganization(store.dynamo);
  const one = await makeAsset(table, 'one', { tags: ['lab'], ruleTags: ['dmz'] });
  const two = await makeAsset(table, 'two');
  const found = [one, two, one].map((asset) => ({ asset: on(asset) }));
  const plain = await makeRule(table, { tool: 'zap' });
  expect((await assetsBehind(table, await readRules(table), found)).size).toBe(0);
  const tagged = await makeRule(table, { assetTag: 'dmz' }, 7);
  const rules = await readRules(table);
  const behind = await assetsBehind(table, rules, found);
  expect([...behind].map(([id, asset]) => [id, tagsOf(asset)])).toEqual([
    [one.id, ['lab', 'dmz']],
    [two.id, []],
  ]);
  expect(rules.map(({ id }) => id)).toEqual([tagged.id, plain.id]);
  const suppress = await suppressNew(table, rules, [on(one), on(two)]);
  expect(suppress(findingDraft(seen, { asset: on(one) }))).toMatchObject({ suppressedBy: { id: tagged.id } });
  expect(suppress(findingDraft(seen, { asset: on(two) }))).toBeUndefined();
  expect(suppress(findingDraft(seen, { asset: on(two), tool: 'zap' }))).toMatchObject({
    suppressedBy: { id: plain.id },
  });
  expect((await suppressNew(table, [], [on(one)]))(findingDraft(seen, { asset: on(one) }))).toBeUndefined();
});

test('findings follow a change of their asset that concerns them, and no other', async () => {
  const table = newOrganization(store.dynamo);
  const link = (applicationId: string) => ({ applicationId, origin: 'manual', at: seen }) as never;
  const before = { links: [link('app')] };
  const change = (changes: Partial<Asset>) => ({ before, changes });
  const changes: Record<string, ReturnType<typeof change>> = {
    criticality: change({ criticality: 'high' }),
    exposed: change({ internetExposed: true }),
    unknown: change({ internetExposed: null }),
    tags: change({ tags: ['x'] }),
    ruleTags: change({ ruleTags: ['x'] }),
    owner: change({ ownerId: null }),
    name: change({ name: 'x' }),
    links: change({ links: [link('app'), link('other')] }),
    unlinked: change({ links: undefined }),
    again: change({ links: [link('app')] }),
  };
  const concerned = async () => {
    const concerns = await concerning(table, Object.values(changes));
    return Object.keys(changes).filter((name) => concerns(changes[name] ?? change({})));
  };
  const fields = ['criticality', 'exposed', 'unknown', 'tags', 'ruleTags', 'owner'];
  expect(await concerned()).toEqual([...fields, 'links', 'unlinked']);
  await makeRule(table, { assetTag: 'lab' });
  expect(await concerned()).toEqual([...fields, 'links', 'unlinked']);
});

test('a name of an asset concerns its findings where a filter of the times to fix reads assets', async () => {
  const table = newOrganization(store.dynamo);
  const change = { before: {}, changes: { name: 'web-1' } };
  expect((await concerning(table, [change]))(change)).toBe(false);
  const exception = { name: 'web', tags: [], criticalities: [], filter: 'hostname:web-*', days: { high: 1 } };
  await table.rows(slaRows).put({ ...DEFAULT_POLICIES, exceptions: [exception] });
  expect((await concerning(table, [change]))(change)).toBe(true);
});

test('assets are read for dates where an exception asks for them, each once, and for ratings always', async () => {
  const table = newOrganization(store.dynamo);
  const [one, two] = [await makeAsset(table, 'one', { criticality: 'high' }), await makeAsset(table, 'two')];
  const found = [one, two, one].map((asset) => ({ asset: on(asset) }));
  const plain = await readSla(table);
  expect(plain.policies).toEqual(DEFAULT_POLICIES);
  await learnForDates(table, plain, found);
  expect(plain.assets.size).toBe(0);
  await learnTraits(table, plain, found);
  expect(plain.assets.get(one.id)).toMatchObject({ criticality: 'high' });
  expect([...plain.assets.keys()].toSorted()).toEqual([one.id, two.id].toSorted());
  await table.modify(assets, one.id, () => ({ criticality: 'low' as const }));
  await learnTraits(table, plain, found);
  expect(plain.assets.get(one.id)).toMatchObject({ criticality: 'high' });
  const exceptions = [{ name: 'pci', tags: ['pci'], criticalities: [], days: { high: 1 } }];
  await table.rows(slaRows).put({ ...DEFAULT_POLICIES, exceptions });
  const strict = await readSla(table);
  await learnForDates(table, strict, found.slice(1, 2));
  expect([...strict.assets.keys()]).toEqual([two.id]);
});
