import { expect, test } from 'vitest';
import { sweep } from '#functions/workers/sweeper/index.ts';
import { codeBranches } from '#shared/code/repositories/code-branch.ts';
import { type Repository, repositories } from '#shared/code/repositories/repository.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import { scannerTasks } from '#shared/scanning/scanner-tasks/scanner-task.ts';
import { tellerOf } from '../support/code-hosts/tell.ts';
import { rulesOf, scanned, sha } from '../support/code-scans.ts';
import { makeRepository } from '../support/repositories.ts';
import { startSystem } from '../support/system.ts';
import { expectExact } from '../support/verify.ts';
import { eventually } from '../support/wait.ts';

const system = startSystem();

test('a schedule that is none is refused with its place and nothing is changed; a right one says when it comes next', async () => {
  const { admin, table } = await system.newOrganization();
  const { id } = await makeRepository(table, 'codehost_a');
  const update = (schedule: string | null, more: object = {}) =>
    admin.call('updateCodehostARepo', { params: { id }, body: { scanPolicy: { schedule }, ...more } as never });
  expect(await update('FREQ=SECONDLY', { criticality: 'high' })).toMatchObject({
    status: 400,
    body: { code: 'validation_failed', details: [{ path: 'scanPolicy.schedule' }] },
  });
  const shown = await admin.ok('getCodehostARepo', { params: { id } });
  expect(shown).toMatchObject({ criticality: 'medium', nextScanAt: null, scanPolicy: { schedule: null } });
  const set = await update('FREQ=DAILY');
  expect(set).toMatchObject({ status: 200, body: { nextScanAt: expect.any(String) } });
  // another setting of the policy does not begin the schedule anew
  const body = { scanPolicy: { failOn: 'low' } } as never;
  const { nextScanAt } = await admin.ok('updateCodehostARepo', { params: { id }, body });
  expect(nextScanAt).toBe(Reflect.get(set.body as object, 'nextScanAt'));
  expect(await update(null)).toMatchObject({ body: { nextScanAt: null } });
});

/** An organization whose repository is told by GitHub's events. */
async function connected(policy: object) {
  const organization = await system.newOrganization();
  const { admin, table } = organization;
  const account = `octo-${newId().slice(-12)}`;
  const hub = await admin.ok('createIntegration', { body: { kind: 'codehost_a', name: 'Hub', account } });
  const tell = tellerOf(admin, hub);
  let second = 0;
  const send = async (event: string, body: object) => {
    const pushed_at = 1_793_520_000 + ++second;
    const repository = {
      id: 7,
      name: 'shop',
      full_name: `${account}/shop`,
      html_url: `https://github.com/${account}/shop`,
      owner: { login: account },
      default_branch: 'main',
      private: true,
      updated_at: '2026-11-01T08:00:00Z',
    };
    return tell(event, { ...body, repository: { ...repository, pushed_at } });
  };
  const push = (name: string, after: string, before = '0') =>
    send('push', { ref: `refs/heads/${name}`, before: sha(before), after: sha(after), deleted: false });
  const propose = (head: string, more: object = {}) =>
    send('pull_request', {
      action: 'opened',
      number: 12,
      pull_request: { head: { ref: 'feature', sha: sha(head), repo: { id: 7 } }, base: { ref: 'main' } },
      ...more,
    });
  await send('repository', { action: 'created' });
  const kept = await table.list(repositories, { paginateFrom: 0, paginateSize: 1 });
  const repository = kept.data[0] as Repository;
  const params = { id: repository.id };
  await admin.ok('updateCodehostARepo', { params, body: { scanPolicy: policy } as never });
  const tasks = async () =>
    (await admin.ok('listScannerTasks', {})).data.map(({ status, codeScan, error }) =>
      [codeScan?.commit?.[0], status, error?.code].filter(Boolean).join(' '),
    );
  const branch = async (name: string) => {
    const { data } = await admin.ok('listCodehostABranches', { params: { repo_id: repository.id }, query: {} });
    return data.find((one) => one.name === name);
  };
  return { ...organization, repository, push, propose, tasks, branch };
}

test('a push is scanned as the policy says: task, report and findings of the branch, once for each commit', async () => {
  const shop = await connected({ onPush: 'default_branch', taskTypes: ['sast', 'sast'], failOn: 'high' });
  expect(await shop.push('main', 'a')).toEqual(['repository_kept', 'branch_kept', 'scan_started']);
  expect(await shop.push('feature', 'b')).not.toContain('scan_started');
  const scanner = await shop.scanner({ taskTypes: ['sast'] });
  expect(await scanned(scanner, ['x'])).toMatchObject({ parameters: { ref: 'main', commit: sha('a') } });
  expect(await rulesOf(shop, 'main')).toEqual(['x open']);
  // the same commit told again
  expect(await shop.push('main', 'a')).not.toContain('scan_started');
  // a newer push takes the place of one that waits; one that runs goes on
  await shop.push('main', 'c', 'a');
  await shop.push('main', 'd', 'c');
  expect(await shop.tasks()).toEqual(['d pending', 'c cancelled superseded', 'a completed']);
  const { tasks } = await scanner.client.ok('leaseScannerTasks', { body: { capacity: 1 } });
  expect(tasks).toHaveLength(1);
  await shop.push('main', 'e', 'd');
  expect((await shop.tasks()).slice(0, 2)).toEqual(['e pending', 'd running']);
  await expectExact(shop.table, [scannerTasks, codeBranches, repositories]);
});

test('a pull request is compared with the branch that it would change, and the branch keeps whether it passes', async () => {
  const shop = await connected({ onPullRequest: true, taskTypes: ['sast', 'secrets'], failOn: 'high' });
  await shop.push('main', 'a');
  const main = await shop.branch('main');
  await shop.admin.ok('scanCodehostABranch', {
    params: { id: main?.id ?? '' },
    body: { taskTypes: ['sast'] } as never,
  });
  const scanner = await shop.scanner({ taskTypes: ['sast', 'secrets'] });
  await scanned(scanner, ['x']);
  // before the push of its branch is told
  expect(await shop.propose('b')).toEqual(['repository_kept', 'scan_started']);
  expect(await shop.push('feature', 'b')).toEqual(['repository_kept', 'branch_kept']);
  const first = await scanned(scanner, ['x', 'y']);
  expect(first.parameters).toEqual({ ref: 'feature', commit: sha('b'), baseRef: 'main' });
  await sweep(system.connections);
  expect((await shop.branch('feature'))?.policyScan).toMatchObject({ finishedAt: null, pullRequest: 12, gate: null });
  await scanned(scanner, []);
  await eventually(async () => {
    await sweep(system.connections);
    expect((await shop.branch('feature'))?.policyScan).toMatchObject({
      commit: sha('b'),
      cause: 'pull_request',
      pullRequest: 12,
      finishedAt: expect.any(String),
      comparison: { baseRef: 'main', new: { high: 1 }, existing: { high: 1 } },
      gate: { passed: false, reasons: ['1 new high'] },
    });
  });
  // pointed at another branch, the same commit is compared with that one; a new title begins nothing
  const edited = (changes: object, ref: string) => {
    const head = { ref: 'feature', sha: sha('b'), repo: { id: 7 } };
    return shop.propose('b', { action: 'edited', changes, pull_request: { head, base: { ref } } });
  };
  await shop.push('next', 'e');
  expect(await edited({ title: { from: 'Mend it' } }, 'main')).toEqual(['repository_kept']);
  expect(await edited({ base: { ref: { from: 'main' } } }, 'next')).toContain('scan_started');
  expect((await shop.branch('feature'))?.policyScan).toMatchObject({
    commit: sha('b'),
    base: 'next',
    finishedAt: null,
  });
  for (let n = 0; n < 2; n++) await scanned(scanner, ['x', 'y']);
  await eventually(async () => {
    await sweep(system.connections);
    expect((await shop.branch('feature'))?.policyScan?.comparison).toMatchObject({ baseRef: 'next' });
  });
  // a scan that could not be done does not pass either
  await shop.propose('c', {
    action: 'synchronize',
    before: sha('b'),
    pull_request: { head: { ref: 'feature', sha: sha('c'), repo: { id: 7 } }, base: { ref: 'main' } },
  });
  const { data } = await shop.admin.ok('listScannerTasks', {});
  for (const { id } of data.filter(({ status }) => status === 'pending'))
    await shop.admin.ok('cancelScannerTask', { params: { id } });
  await eventually(async () => {
    await sweep(system.connections);
    expect((await shop.branch('feature'))?.policyScan).toMatchObject({
      commit: sha('c'),
      comparison: null,
      gate: { passed: false, reasons: ['The sast scan cancelled', 'The secrets scan cancelled'] },
    });
  });
});

test('only findings that fit the filter of a policy fail it, also a saved filter, which the policy follows', async () => {
  const shop = await connected({ onPullRequest: true, taskTypes: ['sast'], failOn: 'high' });
  const { admin, repository } = shop;
  const set = (scanPolicy: object) =>
    admin.call('updateCodehostARepo', { params: { id: repository.id }, body: { scanPolicy } as never });
  for (const [given, path] of [
    [{ filter: 'sevrity:high' }, 'scanPolicy.filter'],
    [{ filter: 'path:src/*' }, 'scanPolicy.filter'],
    [{ filter: `${'('.repeat(900)}kev:true${')'.repeat(900)}` }, 'scanPolicy.filter'],
    [{ filterId: repository.id }, 'scanPolicy.filterId'],
  ] as const)
    expect(await set(given)).toMatchObject({ status: 400, body: { details: [{ path }] } });
  const body = { name: 'but y', entity: 'finding', filter: '-rule:y', visibility: 'shared' } as const;
  const { id: filterId } = await admin.ok('createSavedFilter', { body });
  expect(await set({ filterId })).toMatchObject({ body: { scanPolicy: { filter: '-rule:y', filterId } } });
  const params = { id: filterId };
  expect((await admin.ok('getSavedFilter', { params })).usedBy).toMatchObject([
    { type: 'scan_policy', id: repository.id },
  ]);
  expect(await admin.call('deleteSavedFilter', { params })).toMatchObject({ status: 400 });

  await shop.push('main', 'a');
  const scanner = await shop.scanner({ taskTypes: ['sast'] });
  const judged = async (commit: string, gate: object) => {
    await shop.propose(commit);
    await scanned(scanner, ['y']);
    await eventually(async () => {
      await sweep(system.connections);
      expect((await shop.branch('feature'))?.policyScan).toMatchObject({ commit: sha(commit), gate });
    });
  };
  await judged('b', { passed: true, reasons: [] });
  await admin.ok('updateSavedFilter', { params, body: { filter: 'rule:y' } });
  await judged('c', { passed: false, reasons: ['1 new high'] });
});

test('the head of a fork is scanned from its pull request, without logins of the organization, until that is closed', async () => {
  const shop = await connected({ onPullRequest: true, taskTypes: ['sast'], failOn: 'high' });
  await shop.admin.ok('createCredential', {
    body: {
      kind: 'code_host',
      name: 'deploy key',
      secret: { token: 'may-push' },
      targets: [{ type: 'repository', value: shop.repository.url }],
    },
  });
  // a branch of the fork may have the name of one of ours
  const ofFork = (letter: string, at: number, repo: object | null = { id: 8 }) => ({
    pull_request: {
      head: { ref: 'main', sha: sha(letter), repo },
      base: { ref: 'main' },
      updated_at: new Date(Date.parse('2026-11-01T09:00:00Z') + at * 1000).toISOString(),
    },
  });
  await shop.push('main', 'a');
  expect(await shop.propose('b', ofFork('b', 1))).toContain('scan_started');
  const head = await shop.branch('pull/12');
  expect(head).toMatchObject({ forkPullRequest: 12, headCommit: sha('b'), status: 'active' });
  expect((await shop.branch('main'))?.headCommit).toBe(sha('a'));
  const scanner = await shop.scanner({ taskTypes: ['sast'] });
  const task = await scanned(scanner, ['x']);
  expect(task).toMatchObject({
    parameters: { ref: 'refs/pull/12/head', commit: sha('b'), baseRef: 'main' },
    target: { type: 'repository', value: shop.repository.url },
  });
  expect(task).not.toHaveProperty('secretsUrl');
  expect(await rulesOf(shop, 'pull/12')).toEqual(['x open']);
  expect(await rulesOf(shop, 'main')).toEqual([]);
  await eventually(async () => {
    await sweep(system.connections);
    expect((await shop.branch('pull/12'))?.policyScan).toMatchObject({
      pullRequest: 12,
      comparison: { baseRef: 'main', new: { high: 1 } },
      gate: { passed: false, reasons: ['1 new high'] },
    });
  });
  // events in another order, the last one after its fork was deleted
  expect(await shop.propose('c', { action: 'synchronize', ...ofFork('c', 9, null) })).toContain('scan_started');
  expect(await shop.propose('d', { action: 'synchronize', ...ofFork('d', 5) })).not.toContain('scan_started');
  expect(await shop.propose('c', { action: 'closed', ...ofFork('c', 10) })).toContain('branch_deleted');
  expect(await shop.branch('pull/12')).toBeUndefined();
  await eventually(async () => expect(await rulesOf(shop, 'pull/12')).toEqual(['x fixed']));
  const params = { id: shop.repository.id };
  await shop.admin.ok('updateCodehostARepo', { params, body: { scanPolicy: { forks: false } } as never });
  expect(await shop.propose('e', { number: 13, ...ofFork('e', 11) })).toContain('fork_not_scanned');
  await expectExact(shop.table, [scannerTasks, codeBranches, repositories]);
});

test("a merge request of GitLab is scanned like GitHub's pull request, and a new title begins nothing", async () => {
  const { admin, table } = await system.newOrganization();
  const account = `group-${newId().slice(-12)}`;
  const lab = await admin.ok('createIntegration', { body: { kind: 'codehost_b', name: 'Lab', account } });
  const project = {
    id: 9,
    name: 'shop',
    web_url: `https://gitlab.com/${account}/shop`,
    visibility_level: 0,
    path_with_namespace: `${account}/shop`,
    default_branch: 'main',
  };
  const tell = tellerOf(admin, lab);
  const attributes = {
    iid: 5,
    source_branch: 'feature',
    target_branch: 'main',
    source_project_id: 9,
    target_project_id: 9,
  };
  const merge = (action: string, commit: string, more: object = {}) => {
    const last_commit = { id: sha(commit), timestamp: '2026-11-01T09:00:00+00:00' };
    const object_attributes = { ...attributes, action, last_commit, ...more };
    return tell('Merge Request Hook', { object_kind: 'merge_request', object_attributes, project });
  };
  expect(await merge('open', 'a')).toEqual(['repository_kept']);
  const kept = await table.list(repositories, { paginateFrom: 0, paginateSize: 1 });
  const params = { id: kept.data[0]?.id ?? '' };
  const body = { scanPolicy: { onPullRequest: true, taskTypes: ['secrets'] } } as never;
  await admin.ok('updateCodehostBRepo', { params, body });
  expect(await merge('update', 'b', { oldrev: sha('a') })).toContain('scan_started');
  expect(await merge('update', 'b')).toEqual(['repository_kept']);
  expect(await merge('close', 'c')).toEqual(['repository_kept']);
  const fork = { iid: 6, source_project_id: 10, updated_at: '2026-11-01 09:30:00 UTC' };
  expect(await merge('open', 'f', fork)).toContain('scan_started');
  expect((await admin.ok('listScannerTasks', {})).data).toMatchObject([
    { parameters: { ref: 'refs/merge-requests/6/head', baseRef: 'main', commit: sha('f') } },
    {
      type: 'secrets',
      codeScan: { pullRequest: 5, commit: sha('b'), cause: 'pull_request' },
      parameters: { ref: 'feature', baseRef: 'main', commit: sha('b') },
    },
  ]);
});
