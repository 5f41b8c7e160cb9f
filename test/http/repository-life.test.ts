import { expect, test } from 'vitest';
import { assets } from '#shared/assets/asset/asset.ts';
import { codeBranches } from '#shared/code/repositories/code-branch.ts';
import { repositories } from '#shared/code/repositories/repository.ts';
import { findings } from '#shared/findings/finding/finding.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import { tellerOf } from '../support/code-hosts/tell.ts';
import { sha } from '../support/code-scans.ts';
import { startShopIn } from '../support/shop.ts';
import { startSystem } from '../support/system.ts';
import { expectExact } from '../support/verify.ts';
import { eventually } from '../support/wait.ts';

const system = startSystem();
const first = { paginateFrom: 0, paginateSize: 100 };

/** An account of a code host with one repository, whose events come a minute after each other. */
async function connected() {
  const shop = await startShopIn(system);
  const account = `octo-${newId().slice(-12)}`;
  const hub = await shop.admin.ok('createIntegration', { body: { kind: 'codehost_a', name: 'Hub', account } });
  const tell = tellerOf(shop.admin, hub);
  let minute = 0;
  const at = () => new Date(Date.parse('2026-11-01T08:00:00Z') + ++minute * 60_000).toISOString();
  const repository = (fullName: string, more: object = {}) => {
    const [login = '', name = ''] = fullName.split('/');
    const time = at();
    return {
      id: 7,
      name,
      full_name: fullName,
      html_url: `https://github.com/${fullName}`,
      owner: { login },
      default_branch: 'main',
      private: true,
      archived: false,
      updated_at: time,
      pushed_at: time,
      ...more,
    };
  };
  const only = async () => {
    const { data, totalCount } = await shop.table.list(repositories, first);
    expect(totalCount).toBe(1);
    return data[0];
  };
  return { ...shop, account, tell, repository, only };
}

test('a repository that reports made known is one with the connected one, and keeps what people decided until its end', async () => {
  const { admin, table, account, tell, repository, only, scan, listed } = await connected();
  const [name, renamed, moved] = [`${account}/shop`, `${account}/store`, `others-${account}/store`];
  const of = (fullName: string) => ({ repository: `https://github.com/${fullName}` });
  await scan('main', ['a', 'b'], of(name));
  await scan('feature', ['a', 'b', 'c'], of(name));
  const [b] = (await admin.ok('listFindings', {})).data;
  const decided = { status: 'false_positive', reason: 'a fixture' } as const;
  await admin.ok('updateFinding', { params: { id: b?.id ?? '' }, body: decided });
  const known = ['b false_positive', 'a open'];
  expect(await listed()).toEqual(known);

  await tell('repository', { action: 'created', repository: repository(name) });
  expect((await table.list(assets, first)).data).toMatchObject([{ value: `https://github.com/${name}` }]);
  const params = { id: (await only())?.id ?? '' };
  expect(await admin.ok('getCodehostARepo', { params })).toMatchObject({ openFindings: { high: 1 } });

  const after = sha('0');
  const deleted = { ref: 'refs/heads/feature', before: sha('a'), after, deleted: true, repository: repository(name) };
  expect(await tell('push', deleted)).toEqual(['repository_kept', 'branch_deleted']);
  await eventually(async () => expect(await listed({ ref: 'feature' })).toEqual(['c fixed']));

  await tell('repository', { action: 'renamed', repository: repository(renamed) });
  await tell('repository', { action: 'transferred', repository: repository(moved) });
  expect(await listed()).toEqual(known);
  // a report that still has a former name
  await scan('main', ['a', 'b'], of(name));
  expect(await listed()).toEqual(known);
  expect((await table.list(assets, first)).data).toMatchObject([{ value: `https://github.com/${moved}` }]);

  const summary = () => admin.ok('getFindingsSummary', {});
  const [late] = (await admin.ok('listFindings', { query: { status: 'open' } as never })).data;
  const dueAt = new Date(Date.now() - 3 * 86_400_000).toISOString();
  await admin.ok('updateFinding', { params: { id: late?.id ?? '' }, body: { dueAt } });
  expect(await summary()).toMatchObject({ open: 1, overdue: 1 });
  await tell('repository', { action: 'archived', repository: repository(moved, { archived: true }) });
  await eventually(async () => expect(await summary()).toMatchObject({ total: 0, open: 0, overdue: 0 }));
  await tell('repository', { action: 'unarchived', repository: repository(moved) });
  await eventually(async () => expect(await listed()).toEqual(known));
  expect(await summary()).toMatchObject({ open: 1, overdue: 1 });
  await tell('repository', { action: 'deleted', repository: repository(moved) });
  await eventually(async () => expect(await summary()).toMatchObject({ total: 0, open: 0, overdue: 0 }));
  expect(await only()).toMatchObject({ fullName: moved, status: 'deleted' });
  await expectExact(table, [repositories, codeBranches, assets, findings]);
});

test('a branch that is made after its rule is protected from its first push on, and free when no rule is left', async () => {
  const { admin, account, tell, repository, only } = await connected();
  const name = `${account}/shop`;
  await tell('repository', { action: 'created', repository: repository(name) });
  const params = { id: (await only())?.id ?? '' };
  const scanPolicy = { onPush: 'protected_branches', taskTypes: ['sast'] };
  await admin.ok('updateCodehostARepo', { params, body: { scanPolicy } as never });
  const rule = (action: string, pattern: string) =>
    tell('branch_protection_rule', { action, rule: { name: pattern }, repository: repository(name) });
  const push = (branch: string, letter: string) =>
    tell('push', {
      ref: `refs/heads/${branch}`,
      before: sha('0'),
      after: sha(letter),
      deleted: false,
      repository: repository(name),
    });
  await rule('created', 'release/*');
  await rule('created', 'release/1');
  expect(await push('release/1', 'a')).toContain('scan_started');
  expect(await push('release/1/x', 'b')).not.toContain('scan_started');
  const isProtected = async () => {
    const { data } = await admin.ok('listCodehostABranches', { params: { repo_id: params.id }, query: {} });
    return Object.fromEntries(data.map((one) => [one.name, one.protected]));
  };
  expect(await isProtected()).toEqual({ 'release/1': true, 'release/1/x': false });
  await rule('deleted', 'release/*');
  expect(await isProtected()).toMatchObject({ 'release/1': true });
  await rule('deleted', 'release/1');
  expect(await isProtected()).toMatchObject({ 'release/1': false });
  expect(await push('release/2', 'c')).not.toContain('scan_started');
});

test('a push of GitLab shows whether its branch is protected', async () => {
  const { admin, table } = await system.newOrganization();
  const account = `group-${newId().slice(-12)}`;
  const lab = await admin.ok('createIntegration', { body: { kind: 'codehost_b', name: 'Lab', account } });
  const tell = tellerOf(admin, lab);
  const project = {
    id: 9,
    name: 'shop',
    web_url: `https://gitlab.com/${account}/shop`,
    visibility_level: 0,
    path_with_namespace: `${account}/shop`,
    default_branch: 'main',
  };
  const push = (branch: string, ref_protected?: boolean) =>
    tell('Push Hook', {
      object_kind: 'push',
      ref: `refs/heads/${branch}`,
      before: sha('0'),
      after: sha('a'),
      commits: [],
      project,
      ref_protected,
    });
  await push('main', true);
  const [kept] = (await table.list(repositories, first)).data;
  const scanPolicy = { onPush: 'protected_branches', taskTypes: ['sast'] };
  await admin.ok('updateCodehostBRepo', { params: { id: kept?.id ?? '' }, body: { scanPolicy } as never });
  expect(await push('stable', true)).toContain('scan_started');
  expect(await push('feature', false)).not.toContain('scan_started');
  // an older release does not tell it
  await push('main');
  const { data } = await table.list(codeBranches, first);
  expect(Object.fromEntries(data.map((one) => [one.name, one.protected]))).toEqual({
    main: true,
    stable: true,
    feature: false,
  });
});
