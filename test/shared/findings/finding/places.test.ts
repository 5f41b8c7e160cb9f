import { describe, expect, test } from 'vitest';
import { branches } from '#shared/findings/branches/branch.ts';
import { branchFindings } from '#shared/findings/branches/branch-finding.ts';
import { makeDefault } from '#shared/findings/branches/default-branch.ts';
import { readFound } from '#shared/findings/bulk/found.ts';
import { findings, type StoredFinding } from '#shared/findings/finding/finding.ts';
import { retiredFindings } from '#shared/findings/finding/retired-finding.ts';
import { collectionOf, findFinding, getFinding } from '#shared/findings/view/find.ts';
import { newId, ordinalOf } from '#shared/platform/runtime/ids.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { findingDraft } from '../../../support/findings.ts';
import { newOrganization, useStore } from '../../../support/store.ts';

const store = useStore();
const seen = '2026-01-05T08:00:00.000Z';

const makeBranch = (table: Table, assetId: string, name: string, isDefault = false) =>
  table.create(branches, {
    assetId,
    name,
    isDefault,
    isGuessed: true,
    formerNames: [],
    lastScan: null,
    endedAt: null,
  });
const make = (table: Table, entity: typeof findings): Promise<StoredFinding> =>
  table.create(entity, findingDraft(seen));

describe('a finding is found by its id', () => {
  test('with those of default branches, of other branches and of retired assets', async () => {
    const table = newOrganization(store.dynamo);
    for (const entity of [findings, branchFindings, retiredFindings]) {
      const { id } = await make(table, entity);
      const found = await findFinding(table, id);
      expect([found?.entity.name, found?.finding.id]).toEqual([entity.name, id]);
      expect(await getFinding(table, id)).toMatchObject({ finding: { id } });
    }
    expect(await findFinding(table, newId())).toBeUndefined();
    await expect(getFinding(table, newId())).rejects.toMatchObject({ code: 'not_found' });
  });

  test('in the order in which they were asked for, by ids and by places of a list', async () => {
    const table = newOrganization(store.dynamo);
    const [kept, beside, retired] = [
      await make(table, findings),
      await make(table, branchFindings),
      await make(table, retiredFindings),
    ];
    const shown = async (items: readonly (string | number)[], entity?: typeof findings) =>
      (await readFound(table, items, { entity })).map((one) => one && [one.id, one.entity?.name]);
    const gone = ordinalOf(retired.id) + 1000;
    const [there, apart, aside] = [kept, beside, retired].map(({ id }) => id) as [string, string, string];
    expect(await shown([aside, ordinalOf(there), apart, ordinalOf(aside), gone])).toEqual([
      [aside, 'retired-finding'],
      [there, 'finding'],
      [apart, 'branch-finding'],
      [aside, 'retired-finding'],
      undefined,
    ]);
    expect(await shown([there, apart, ordinalOf(apart)], findings)).toEqual([
      [there, 'finding'],
      [apart, undefined],
      undefined,
    ]);
  });

  test('and not by another id that leads to the same place', async () => {
    const table = newOrganization(store.dynamo);
    const { id } = await make(table, findings);
    const other = `${id.slice(0, 8) === 'ffffffff' ? '0'.repeat(8) : 'f'.repeat(8)}${id.slice(8)}`;
    expect(ordinalOf(other)).toBe(ordinalOf(id));
    expect(await readFound(table, [other], {})).toEqual([{ id: other }]);
  });

  test('with its long texts where they are asked for', async () => {
    const table = newOrganization(store.dynamo);
    const { id, fingerprint } = await make(table, findings);
    const [row] = await readFound(table, [id], {});
    const [whole] = await readFound(table, [id], { whole: true });
    expect([row?.finding, whole?.finding].map((one) => Object(one).fingerprint)).toEqual([undefined, fingerprint]);
  });
});

describe('a list with a ref shows findings of another branch', () => {
  test('only where no asset has a default branch of this name', async () => {
    const table = newOrganization(store.dynamo);
    const [shop, store_] = [newId(), newId()];
    await makeBranch(table, shop, 'main', true);
    await makeBranch(table, shop, 'feature');
    await makeBranch(table, shop, 'release');
    await makeBranch(table, store_, 'release', true);
    const where = async (of: object, parent?: { engagement: string }) =>
      (await collectionOf(table, { where: of as never, ...(parent && { parent }) })).name;
    expect(await where({ ref: 'feature' })).toBe('branch-finding');
    expect(await where({ ref: 'main' })).toBe('finding');
    expect(await where({ ref: 'release' })).toBe('finding');
    expect(await where({ ref: 'release', asset: shop })).toBe('branch-finding');
    expect(await where({ ref: 'release', asset: store_ })).toBe('finding');
    expect(await where({ ref: 'unknown' })).toBe('finding');
    expect(await where({ tool: 'x' })).toBe('finding');
    expect(await where({ ref: 'feature' }, { engagement: newId() })).toBe('finding');
    expect((await collectionOf(table, {})).name).toBe('finding');
  });
});

describe('the default branch of a repository', () => {
  test('passes to another one, which knows the names of those before, five at most and never its own', async () => {
    const table = newOrganization(store.dynamo);
    const assetId = newId();
    const names = ['main', 'a', 'b', 'c', 'd', 'e', 'f'];
    const made = [];
    for (const name of names) made.push(await makeBranch(table, assetId, name, name === 'main'));
    let last = made[0];
    for (const { id } of [...made.slice(1), ...made.slice(0, 1)]) last = await makeDefault(table, id);
    expect(last).toMatchObject({ name: 'main', isDefault: true, isGuessed: false });
    expect(last?.formerNames).toEqual(['f', 'e', 'd', 'c', 'b']);
    const { data } = await table.list(branches, { paginateFrom: 0, paginateSize: 10, where: { asset: assetId } });
    expect(data.filter(({ isDefault }) => isDefault).map(({ name }) => name)).toEqual(['main']);
    expect(data.find(({ name }) => name === 'f')).toMatchObject({ isDefault: false, isGuessed: false });
  });

  test('begins again where it had ended, stays where it is the default one already, and is the first where there was none', async () => {
    const table = newOrganization(store.dynamo);
    const { id } = await makeBranch(table, newId(), 'main');
    await table.modify(branches, id, () => ({ endedAt: seen }));
    const first = await makeDefault(table, id);
    expect(first).toMatchObject({ isDefault: true, isGuessed: false, endedAt: null, formerNames: [], version: 3 });
    expect(await makeDefault(table, id)).toEqual(first);
    expect(await makeDefault(table, id, () => false)).toEqual(first);
  });
});
