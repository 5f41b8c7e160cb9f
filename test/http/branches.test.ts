import { describe, expect, test } from 'vitest';
import { repository, soon, startShopIn, toolReport } from '../support/shop.ts';
import { startSystem } from '../support/system.ts';

const system = startSystem();
const startShop = () => startShopIn(system);

describe('branches', () => {
  test('a list without ref has the default branch, one with ref what the branch adds, and triage works on both', async () => {
    const { admin, scan, listed } = await startShop();
    await scan('main', ['a', 'b']);
    await scan('feature', ['a', 'b', 'c']);
    expect(await listed()).toEqual(['b open', 'a open']);
    expect(await listed({ ref: 'refs/heads/feature' })).toEqual(['c open']);
    expect(await listed({ ref: 'main' })).toEqual(['b open', 'a open']);
    const [c] = (await admin.ok('listFindings', { query: { ref: 'feature' } })).data;
    const id = c?.id ?? '';
    await admin.ok('updateFinding', { params: { id }, body: { status: 'false_positive', reason: 'a fixture' } });
    expect(await admin.ok('getFinding', { params: { id } })).toMatchObject({
      ref: 'feature',
      status: 'false_positive',
    });
    await scan('main', ['a', 'b', 'c']);
    expect(await admin.ok('getFinding', { params: { id } })).toMatchObject({ ref: 'main', status: 'false_positive' });
    const history = await admin.ok('listFindingHistory', { params: { id } });
    expect(history.map(({ changes }) => ('ref' in changes ? 'ref' : 'status' in changes && 'status'))).toEqual([
      'ref',
      'status',
    ]);
  });

  test('a dashboard counts what the default branch has, whatever pull requests bring', async () => {
    const { admin, scan } = await startShop();
    await scan('main', ['a']);
    for (const n of [1, 2, 3]) await scan(`refs/pull/${n}/merge`, ['a', 'b', `c${n}`]);
    expect(await admin.ok('getFindingsSummary', {})).toMatchObject({ total: 1, open: 1 });
  });

  test('a branch that is deleted takes its findings along, and the default one cannot be deleted', async () => {
    const { admin, scan, listed, branch } = await startShop();
    await scan('main', ['a']);
    await scan('feature', ['a', 'b']);
    const refused = await admin.call('endBranch', { params: { id: (await branch('main')).id } });
    expect(refused).toMatchObject({ status: 400, body: { code: 'conflict' } });
    const { taskId } = await admin.ok('endBranch', { params: { id: (await branch('feature')).id } });
    const ended = await admin.ok('getTask', { params: { id: taskId }, query: soon });
    expect(ended).toMatchObject({ status: 'succeeded', result: { matched: 1, changed: 1 } });
    expect(await listed({ ref: 'feature' })).toEqual(['b fixed']);
    expect((await branch('feature')).endedAt).not.toBeNull();
    await scan('feature', ['a', 'b']);
    expect(await listed({ ref: 'feature' })).toEqual(['b open']);
    expect((await branch('feature')).endedAt).toBeNull();
  });

  test('a branch is ended by its repository and name, in any spelling of an import', async () => {
    const { admin, scan, listed } = await startShop();
    await scan('main', ['a']);
    await scan('feature', ['a', 'b']);
    const end = (query: { repository: string; ref: string }) => admin.call('endNamedBranch', { query });
    const other = { repository: 'https://git.example.com/acme/other', ref: 'feature' };
    for (const query of [other, { repository, ref: 'unknown' }])
      expect(await end(query)).toMatchObject({ status: 400, body: { code: 'not_found' } });
    expect(await end({ repository, ref: 'main' })).toMatchObject({ status: 400, body: { code: 'conflict' } });
    for (const [query, path] of [
      [{ ref: 'feature' }, 'repository'],
      [{ repository }, 'ref'],
    ] as const)
      expect(await admin.send('DELETE', '/api/v1/scanned-branches', { query })).toMatchObject({
        status: 400,
        body: { details: [{ path }] },
      });
    const query = { repository: 'git@git.example.com:acme/shop.git', ref: 'refs/heads/feature' };
    const { taskId } = await admin.ok('endNamedBranch', { query });
    expect(await admin.ok('getTask', { params: { id: taskId }, query: soon })).toMatchObject({ status: 'succeeded' });
    expect(await listed({ ref: 'feature' })).toEqual(['b fixed']);
    expect(await listed()).toEqual(['a open']);
  });

  test('another branch becomes the default one, and its next scan takes over what both have', async () => {
    const { admin, scan, listed, branch } = await startShop();
    await scan('main', ['a', 'b']);
    await scan('develop', ['a', 'b', 'c']);
    const { id } = await branch('develop');
    expect(await admin.ok('updateBranch', { params: { id }, body: { isDefault: true } })).toMatchObject({
      isDefault: true,
    });
    expect((await branch('main')).isDefault).toBe(false);
    const { task } = await scan('develop', ['a', 'b', 'c']);
    expect(task?.result).toMatchObject({ created: 1, unchanged: 2 });
    expect((await listed({ ref: 'develop' })).sort()).toEqual(['a open', 'b open', 'c open']);
    expect((await scan('main', ['a', 'b'])).task?.result).toMatchObject({
      comparison: { baseRef: 'develop', existing: { high: 2 } },
    });
    const back = await admin.call('updateBranch', { params: { id }, body: { isDefault: false } });
    expect(back).toMatchObject({ status: 400, body: { details: [{ path: 'isDefault' }] } });
  });
});

describe('the gate', () => {
  test('fails for what a pull request adds and passes for what was there before', async () => {
    const { scan } = await startShop();
    await scan('main', ['a', 'b']);
    const known = await scan('one', ['a', 'b'], { gate: { failOn: 'high' } });
    expect(known.gate).toMatchObject({ passed: true, reasons: [], baseRef: 'main', findings: [] });
    const added = await scan('two', ['a', 'b', 'c'], { gate: { failOn: 'high' } });
    expect(added.gate).toMatchObject({
      passed: false,
      reasons: ['1 new high'],
      new: { high: 1 },
      findings: [{ severity: 'high', isNew: true, ruleId: 'c', location: 'src/c.ts:3' }],
    });
    const lenient = await scan('two', ['a', 'b', 'c'], { gate: { failOn: 'critical' } });
    expect(lenient.gate).toMatchObject({ passed: true });
  });

  test('shows the worst findings, from any place in the report', async () => {
    const { scan } = await startShop();
    await scan('main', ['a']);
    const severities = [...Array.from({ length: 25 }, () => 'high'), 'critical'];
    const findings = severities.map((severity, n) => ({ title: `t${n}`, ruleId: `r${n}`, severity }));
    const content = JSON.stringify({ findings });
    const { gate } = await scan('one', [], { format: 'generic', content, gate: { failOn: 'high' } });
    expect(gate?.findings.map(({ severity }) => severity)).toEqual(['critical', ...severities.slice(0, 19)]);
  });

  test('is asked later for a task, and passes once the new finding was triaged', async () => {
    const { admin, scan } = await startShop();
    await scan('main', ['a']);
    const { taskId } = await scan('feature', ['a', 'x', 'y']);
    const judge = (query: object) => admin.ok('judgeImport', { params: { taskId }, query });
    const failed = await judge({ failOn: 'medium' });
    expect(failed).toMatchObject({ passed: false, reasons: ['2 new high'] });
    for (const { id } of failed.findings)
      await admin.ok('updateFinding', { params: { id }, body: { status: 'false_positive', reason: 'tests' } });
    expect(await judge({ failOn: 'medium' })).toMatchObject({ passed: true, new: { high: 0 } });
    expect(await judge({ newOnly: 'false' })).toMatchObject({ passed: false, reasons: ['1 existing high'] });
  });

  test('fails for a report that was not read, and says why', async () => {
    const { scan } = await startShop();
    const broken = await scan('main', ['a'], { content: toolReport(['a']).slice(0, -10), gate: {} });
    expect(broken).toMatchObject({ status: 'failed', gate: { passed: false } });
    expect(broken.gate?.reasons[0]).toContain('failed');
  });

  test('fails for a finding that is open for longer than allowed', async () => {
    const { scan } = await startShop();
    await scan('main', ['a'], { commit: 'one' });
    const old = await scan('main', ['a'], { commit: 'two', gate: { maxAgeDays: 0 } });
    expect(old.gate).toMatchObject({ passed: false, reasons: ['1 open for more than 0 days'] });
    expect((await scan('main', ['a'], { commit: 'three', gate: { maxAgeDays: 1 } })).gate).toMatchObject({
      passed: true,
    });
  });

  test('is asked in the address of a report file that is sent as it is, as in JSON', async () => {
    const { admin, scan } = await startShop();
    await scan('main', ['a']);
    const send = (query: object) =>
      admin.send('POST', '/api/v1/findings/import', {
        query: { ...soon, repository, ref: 'feature', ...query },
        body: toolReport(['a', 'b']),
        headers: { 'content-type': 'application/sarif+json' },
      });
    const failed = await send({ failOn: 'medium' });
    const json = await scan('feature', ['a', 'b'], { gate: { failOn: 'medium' } });
    expect(failed).toMatchObject({ status: 200, body: { gate: json.gate } });
    expect(json.gate).toMatchObject({ passed: false, reasons: ['1 new high'] });
    expect(await send({ failOn: 'critical' })).toMatchObject({ body: { gate: { passed: true } } });
    expect(await send({ newOnly: 'false' })).toMatchObject({
      body: { gate: { reasons: ['1 new high', '1 existing high'] } },
    });
    const old = await send({ failOn: 'high', maxAgeDays: '0' });
    expect(old).toMatchObject({ body: { gate: { reasons: ['1 new high', '2 open for more than 0 days'] } } });
    expect((await send({})).body).not.toHaveProperty('gate');
  });

  test.each([
    [{ failOn: 'severe' }, 'failOn'],
    [{ newOnly: 'yes' }, 'newOnly'],
    [{ maxAgeDays: 'week' }, 'maxAgeDays'],
    [{ maxAgeDays: '-1' }, 'maxAgeDays'],
    [{ gate: '{}' }, 'gate'],
  ])('that the address asks for with %j is refused before anything is imported', async (query, path) => {
    const { admin } = await startShop();
    const headers = { 'content-type': 'application/sarif+json' };
    const sent = { query: { repository, ...query }, body: toolReport(['a']), headers };
    const answer = await admin.send('POST', '/api/v1/findings/import', sent);
    expect(answer).toMatchObject({ status: 400, body: { code: 'validation_failed', details: [{ path }] } });
    expect((await admin.ok('listImports', {})).data).toEqual([]);
  });

  test('is asked of an import that does not exist with a 404 of the interface', async () => {
    const { admin } = await startShop();
    const params = { taskId: '01900000-0000-7000-8000-000000000000' };
    expect(await admin.call('judgeImport', { params })).toMatchObject({ body: { code: 'not_found' } });
  });
});
