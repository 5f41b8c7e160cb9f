import { expect, test } from 'vitest';
import { assets } from '#shared/assets/asset/asset.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import { tellerOf } from '../support/code-hosts/tell.ts';
import { startShopIn } from '../support/shop.ts';
import { startSystem } from '../support/system.ts';
import { eventually } from '../support/wait.ts';

const system = startSystem();

/** An organization whose code host may report its repository, and whose CI jobs name it in their own way. */
async function startNamed() {
  const shop = await startShopIn(system);
  const { admin, table } = shop;
  const account = `octo-${newId().slice(-12)}`;
  const short = `${account}/shop`;
  const address = `https://github.com/${short}`;
  let hub: Promise<ReturnType<typeof tellerOf>> | undefined;
  const connect = () => {
    const body = { kind: 'codehost_a', name: 'Hub', account } as const;
    hub ??= admin.ok('createIntegration', { body }).then((made) => tellerOf(admin, made));
    return hub;
  };
  let minute = 0;
  const event = async (action: string) => {
    const tell = await connect();
    const time = new Date(Date.parse('2026-11-01T08:00:00Z') + ++minute * 60_000).toISOString();
    const known = { id: 7, name: 'shop', full_name: short, html_url: address, owner: { login: account } };
    const state = { default_branch: 'main', private: true, archived: false, updated_at: time, pushed_at: time };
    await tell('repository', { action, repository: { ...known, ...state } });
  };
  const scan = (repository: string, rules: readonly string[]) => shop.scan('main', rules, { repository });
  const values = async () =>
    (await table.list(assets, { paginateFrom: 0, paginateSize: 100 })).data.map(({ value }) => value).sort();
  return { ...shop, short, address, event, scan, values };
}

test('a report that names a repository without its connected host is about its one asset, in one scan scope', async () => {
  const { short, address, event, scan, values, listed } = await startNamed();
  await event('created');
  await scan(address, ['a', 'b']);
  expect((await scan(short, ['a', 'b'])).task?.result).toMatchObject({ created: 0, unchanged: 2 });
  expect((await scan(`${short}.git`, ['a'])).task?.result).toMatchObject({ unchanged: 1, closed: 1 });
  expect(await values()).toEqual([address]);
  expect(await listed()).toEqual(['b fixed', 'a open']);
});

test('an asset of the short name becomes one with the repository once its host is connected, with findings and decisions', async () => {
  const { admin, table, short, address, event, scan, values, listed } = await startNamed();
  await scan(short, ['a', 'b', 'c']);
  const { data } = await admin.ok('listFindings', {});
  const { id = '' } = data.find(({ ruleId }) => ruleId === 'b') ?? {};
  await admin.ok('updateFinding', { params: { id }, body: { status: 'false_positive', reason: 'a fixture' } });
  await event('created');
  await eventually(async () => expect(await values()).toEqual([address]));
  await eventually(async () =>
    expect((await admin.ok('listFindings', {})).data.map(({ asset }) => asset.name)).toEqual([
      address,
      address,
      address,
    ]),
  );
  expect((await scan(short, ['a', 'b'])).task?.result).toMatchObject({ created: 0, unchanged: 2, closed: 1 });
  expect((await scan(address, ['a', 'b'])).task?.result).toMatchObject({ created: 0, unchanged: 2 });
  expect(await listed()).toEqual(['c fixed', 'b false_positive', 'a open']);
  await event('edited');
  expect((await table.list(assets, { paginateFrom: 0, paginateSize: 9 })).data[0]?.aliases).toHaveLength(1);
});

test('two assets that a person parted stay two', async () => {
  const { admin, short, address, event, scan, values } = await startNamed();
  await scan(short, ['a']);
  await event('created');
  await eventually(async () => expect(await values()).toEqual([address]));
  const [merge] = (await admin.ok('listTasks', { query: { operation: 'merge_assets' } as never })).data;
  const params = { taskId: merge?.id ?? '' };
  await eventually(async () => expect((await admin.call('undoAssetMerge', { params })).status).toBe(200));
  await eventually(async () => expect(await values()).toEqual([short, address].sort()));
  await event('edited');
  await scan(short, ['a']);
  expect(await values()).toEqual([short, address].sort());
});

test('where several hosts have the name, or none is connected, the merge is suggested', async () => {
  const { admin, short, address, event, scan, values } = await startNamed();
  const mirror = `https://gitlab.example.com/${short}`;
  await scan(mirror, ['a']);
  await scan(short, ['a']);
  const suggested = async () =>
    (await admin.ok('listMergeSuggestions', { query: { status: 'open' } })).data
      .map(({ asset, into, by }) => [asset?.value, into?.value, by])
      .sort();
  await eventually(async () => expect(await suggested()).toEqual([[short, mirror, 'repository']]));
  await event('created');
  await eventually(async () =>
    expect(await suggested()).toEqual(
      [
        [short, mirror, 'repository'],
        [short, address, 'repository'],
      ].sort(),
    ),
  );
  expect(await values()).toEqual([short, address, mirror].sort());
});
