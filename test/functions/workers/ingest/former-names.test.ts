import { afterAll, expect, test } from 'vitest';
import { keepFormerName } from '#functions/workers/ingest/respell/former-names.ts';
import { branches } from '#shared/findings/branches/branch.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import { startWorld } from './world.ts';

const world = await startWorld();
afterAll(() => world.stop());

/** The branches of a repository after these spellings of them were found, each with the names that its findings may have. */
async function namesAfter(...spelled: string[]) {
  const table = world.newOrganization();
  const assetId = newId();
  for (const one of spelled) await keepFormerName(table, assetId, one);
  const { data } = await table.list(branches, { paginateFrom: 0, paginateSize: 10, where: { asset: assetId } });
  return data.map(({ name, isDefault, isGuessed, formerNames }) => ({ name, isDefault, isGuessed, formerNames }));
}

test('the first branch of a repository is taken for the default one, and only a usual name is taken for certain', async () => {
  const names = { isDefault: true, formerNames: ['refs/heads/main'] };
  expect(await namesAfter('refs/heads/main')).toEqual([{ ...names, name: 'main', isGuessed: false }]);
  const other = { isDefault: true, formerNames: ['refs/heads/develop'] };
  expect(await namesAfter('refs/heads/develop')).toEqual([{ ...other, name: 'develop', isGuessed: true }]);
});

test('a request to merge is never taken for the default branch', async () => {
  expect(await namesAfter('refs/pull/7/merge')).toEqual([]);
});

test('the default branch keeps each of its own spellings once, and none of another branch', async () => {
  const spelled = ['refs/heads/main', 'refs/heads/next', 'refs/remotes/origin/main', 'refs/heads/main'];
  expect(await namesAfter(...spelled)).toMatchObject([
    { name: 'main', formerNames: ['refs/heads/main', 'refs/remotes/origin/main'] },
  ]);
});

test('five spellings are kept, and no more', async () => {
  const spelled = ['one', 'two', 'three', 'four', 'five', 'six'].map((remote) => `refs/remotes/${remote}/main`);
  expect(await namesAfter(...spelled)).toMatchObject([{ name: 'main', formerNames: spelled.slice(0, 5) }]);
});
