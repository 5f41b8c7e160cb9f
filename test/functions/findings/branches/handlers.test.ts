import { describe, expect, test } from 'vitest';
import { branchHandlers } from '#functions/findings/branches/handlers.ts';
import { branches } from '#shared/findings/branches/branch.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { newOrganization, useStore } from '../../../support/store.ts';

const store = useStore();
const page = { paginateFrom: 0, paginateSize: 25 };

describe('scanned branches', () => {
  const makeBranch = (table: Table, assetId: string, name: string, isDefault: boolean) =>
    table.create(branches, {
      assetId,
      name,
      isDefault,
      isGuessed: false,
      formerNames: [],
      lastScan: null,
      endedAt: null,
    });

  test('are listed of all repositories, or of one', async () => {
    const table = newOrganization(store.dynamo);
    const [shop, pay] = [newId(), newId()];
    await makeBranch(table, shop, 'main', true);
    await makeBranch(table, pay, 'trunk', true);
    await makeBranch(table, shop, 'feature', false);
    const names = async (query: object) => {
      const { data } = await branchHandlers.listBranches({ table, query: { ...page, ...query } } as never);
      return data.map(({ name }) => name);
    };
    expect(await names({})).toEqual(['feature', 'trunk', 'main']);
    expect(await names({ assetId: shop })).toEqual(['feature', 'main']);
    expect(await names({ assetId: newId() })).toEqual([]);
  });

  test('stay as they are by a patch that says nothing new, and are not made others than the default one', async () => {
    const table = newOrganization(store.dynamo);
    const assetId = newId();
    const [main, feature] = [
      await makeBranch(table, assetId, 'main', true),
      await makeBranch(table, assetId, 'x', false),
    ];
    const patch = async (id: string, body: object) =>
      branchHandlers.updateBranch({ table, params: { id }, body } as never);
    expect(await patch(main.id, { isDefault: true })).toEqual(main);
    expect(await patch(feature.id, {})).toEqual(feature);
    await expect(patch(main.id, { isDefault: false })).rejects.toMatchObject({ details: [{ path: 'isDefault' }] });
    await expect(patch(newId(), { isDefault: true })).rejects.toMatchObject({ code: 'not_found' });
    expect(await table.get(branches, main.id, true)).toEqual(main);
    expect(await patch(feature.id, { isDefault: true })).toMatchObject({ isDefault: true, formerNames: ['main'] });
    expect(await table.get(branches, main.id, true)).toMatchObject({ isDefault: false });
  });
});
