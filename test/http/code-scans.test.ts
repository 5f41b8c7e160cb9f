import { expect, test } from 'vitest';
import { codeBranches } from '#shared/code/repositories/code-branch.ts';
import { repositories } from '#shared/code/repositories/repository.ts';
import { scannerTasks } from '#shared/scanning/scanner-tasks/scanner-task.ts';
import { rulesOf, scanned, sha } from '../support/code-scans.ts';
import { makeBranch, makeRepository } from '../support/repositories.ts';
import { startSystem } from '../support/system.ts';
import { expectExact } from '../support/verify.ts';

const system = startSystem();

test('a scan of a branch is made once while it goes on, and closes on the branch what is gone there', async () => {
  const organization = await system.newOrganization();
  const { admin, table } = organization;
  const repository = await makeRepository(table, 'codehost_a');
  const main = await makeBranch(table, repository);
  const params = { id: main.id };
  const body = { taskTypes: ['sast'] as const };
  const asked = await admin.ok('scanCodehostABranch', { params, body: body as never });
  expect(asked).toMatchObject({ status: 'queued', resource: { type: 'scanner_task' } });
  const again = await Promise.all(
    [1, 2, 3].map(() => admin.ok('scanCodehostABranch', { params, body: body as never })),
  );
  expect(new Set(again.map(({ resource }) => resource?.id))).toEqual(new Set([asked.resource?.id]));
  // without a body
  const path = `/api/v1/software/codehost_a/branches/${main.id}/scan/sast`;
  const sent = await admin.send('POST', path, {});
  const all = sent.body as typeof asked;
  expect(all.resource).toEqual(asked.resource);
  expect(await admin.ok('getTask', { params: { id: all.taskId } })).toMatchObject({
    operation: 'scan_branch',
    status: 'succeeded',
    result: { commit: sha('a'), scannerTasks: [{ type: 'sast' }, { type: 'secrets' }, { type: 'dependencies' }] },
  });
  const { data } = await admin.ok('listScannerTasks', {});
  expect(data.map(({ type, waitingReason }) => [type, waitingReason])).toEqual(
    ['dependencies', 'secrets', 'sast'].map((type) => [type, 'no_scanner_in_zone']),
  );

  const scanner = await organization.scanner({ taskTypes: ['sast'] });
  const task = await scanned(scanner, ['a', 'b']);
  expect(task).toMatchObject({
    type: 'sast',
    engagementId: null,
    target: { type: 'repository', value: repository.url },
    parameters: { ref: 'main', commit: sha('a') },
  });
  expect(await admin.ok('getScannerTask', { params: { id: task.id } })).toMatchObject({
    status: 'completed',
    engagementId: null,
    runId: null,
    result: { created: 2 },
    codeScan: {
      branchId: main.id,
      commit: sha('a'),
      cause: 'request',
      depth: 'full',
      pullRequest: null,
      cloneToken: false,
    },
  });
  expect(await rulesOf(organization, 'main')).toEqual(['a open', 'b open']);
  expect(await admin.ok('getCodehostABranch', { params })).toMatchObject({
    lastScan: { commit: sha('a') },
    openFindings: { high: 2 },
    policyScan: null,
  });

  // it has ended: the same commit may be scanned again
  const second = await admin.ok('scanCodehostABranch', { params, body: body as never });
  expect(second.resource?.id).not.toBe(asked.resource?.id);
  await scanned(scanner, ['b']);
  expect(await rulesOf(organization, 'main')).toEqual(['a fixed', 'b open']);
  expect((await admin.ok('getCodehostARepo', { params: { id: repository.id } })).lastScanAt).not.toBeNull();
  await expectExact(table, [scannerTasks, codeBranches, repositories]);
});

test('a scan of what changed closes nothing, and one of a branch has only what the default branch has not', async () => {
  const organization = await system.newOrganization();
  const { admin, table } = organization;
  const repository = await makeRepository(table, 'codehost_b', { defaultBranch: 'develop' });
  const feature = await makeBranch(table, repository, { name: 'feature', headCommit: sha('b') });
  const develop = await makeBranch(table, repository, { name: 'develop' });
  const scanner = await organization.scanner({ taskTypes: ['sast'] });
  const scan = async (id: string, rules: string[], body: object = {}) => {
    await admin.ok('scanCodehostBBranch', { params: { id }, body: { taskTypes: ['sast'], ...body } as never });
    return scanned(scanner, rules);
  };
  // a branch that is scanned before the default one does not take its place
  await scan(feature.id, ['a', 'b']);
  await scan(develop.id, ['a']);
  await scan(feature.id, ['a', 'b', 'c']);
  expect((await admin.ok('listFindings', {})).data.map(({ ruleId }) => ruleId)).toEqual(['a']);
  expect(await rulesOf(organization, 'feature')).toContain('c open');
  const changed = await scan(feature.id, ['d'], { depth: 'changes', commit: sha('c') });
  expect(changed.parameters).toEqual({
    ref: 'feature',
    commit: sha('c'),
    baseRef: 'develop',
    depth: 'changes',
    since: 'develop',
  });
  expect(await rulesOf(organization, 'feature')).toEqual(expect.arrayContaining(['c open', 'd open']));
  const { parameters } = await scan(develop.id, ['a'], { depth: 'changes' });
  expect(parameters).toEqual({ ref: 'develop', commit: sha('a'), depth: 'changes', since: sha('a') });
});

test('a branch that cannot be scanned is refused with the reason, and no task is made', async () => {
  const { admin, table } = await system.newOrganization();
  const scan = (id: string, body: object = {}) =>
    admin.call('scanCodehostABranch', { params: { id }, body: body as never });
  for (const status of ['archived', 'deleted', 'inaccessible'] as const) {
    const { id } = await makeBranch(table, await makeRepository(table, 'codehost_a', { status }));
    expect(await scan(id)).toMatchObject({ status: 400, body: { code: 'conflict', message: /repository shop/ } });
  }
  const repository = await makeRepository(table, 'codehost_a');
  const gone = await makeBranch(table, repository, { name: 'gone', status: 'deleted' });
  expect(await scan(gone.id)).toMatchObject({ body: { code: 'conflict', message: 'The branch gone was deleted.' } });
  const { id } = await makeBranch(table, repository);
  expect(await scan(id, { commit: 'abc' })).toMatchObject({ status: 400, body: { details: [{ path: 'commit' }] } });
  expect(await scan(id, { taskTypes: ['network'] })).toMatchObject({ body: { details: [{ path: 'taskTypes.0' }] } });
  expect(await admin.call('scanCodehostBBranch', { params: { id }, body: {} as never })).toMatchObject({
    body: { code: 'not_found' },
  });
  expect((await admin.ok('listScannerTasks', {})).totalCount).toBe(0);
});

test('a task of a branch that was deleted meanwhile is cancelled instead of handed out', async () => {
  const organization = await system.newOrganization();
  const { admin, table } = organization;
  const branch = await makeBranch(table, await makeRepository(table, 'codehost_a'), { name: 'old' });
  await admin.ok('scanCodehostABranch', { params: { id: branch.id }, body: { taskTypes: ['sast'] } as never });
  await table.update(codeBranches, branch, { status: 'deleted' });
  const { client } = await organization.scanner({ taskTypes: ['sast'] });
  expect((await client.ok('leaseScannerTasks', { body: { capacity: 1 } })).tasks).toEqual([]);
  const { data } = await admin.ok('listScannerTasks', {});
  expect(data).toMatchObject([{ status: 'cancelled', error: { message: 'The branch old was deleted.' } }]);
  await expectExact(table, [scannerTasks]);
});

test('a scanner gets the login that is bound to the repository, and no other one', async () => {
  const organization = await system.newOrganization();
  const { admin, table } = organization;
  const repository = await makeRepository(table, 'codehost_a');
  const bound = (value: string) => [{ type: 'repository' as const, value, zone: null }];
  const make = (name: string, value: string) =>
    admin.ok('createCredential', {
      body: { name, kind: 'code_host', targets: bound(value), secret: { token: name } } as never,
    });
  await make('mine', repository.url);
  await make('another', 'https://git.example.com/shop/another');
  const { id } = await makeBranch(table, repository);
  await admin.ok('scanCodehostABranch', { params: { id }, body: { taskTypes: ['sast'] } as never });
  const { client } = await organization.scanner({ taskTypes: ['sast'] });
  const { tasks } = await client.ok('leaseScannerTasks', { body: { capacity: 1 } });
  const taskId = tasks[0]?.id ?? '';
  expect(tasks[0]?.secretsUrl).toContain(taskId);
  const released = await client.ok('releaseTaskSecrets', { params: { id: taskId } });
  expect(released.credentials).toMatchObject([{ name: 'mine', secret: { token: 'mine' } }]);
  const { data } = await admin.ok('listCredentials', {});
  const mine = data.find(({ name }) => name === 'mine')?.id ?? '';
  const releases = await admin.ok('listCredentialReleases', { params: { id: mine } });
  expect(releases.data).toMatchObject([{ taskId, engagementId: null }]);
});
