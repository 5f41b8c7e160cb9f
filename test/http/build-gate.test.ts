import { expect, test } from 'vitest';
import { repository, soon, startShopIn, toolReport } from '../support/shop.ts';
import { startSystem } from '../support/system.ts';
import { finished } from '../support/wait.ts';

/** The gate of a build judges all of its reports, and passes none that it has not seen. */
const system = startSystem();
const named = { repository, ref: 'feature', buildId: '7' };
const byTool = (tool: string, rules: string[]) => toolReport(rules).replace('"name":"example"', `"name":"${tool}"`);

async function startBuild() {
  const shop = await startShopIn(system);
  const send = (tool: string, rules: string[], more: object = {}) =>
    shop.admin.ok('importFindings', {
      query: soon,
      body: { content: byTool(tool, rules), repository, ref: 'feature', scanType: tool, buildId: '7', ...more },
    });
  const ask = (query: object = {}) => shop.admin.ok('judgeNamedBuild', { query: { ...named, ...query } });
  await shop.scan('main', ['old'], { scanType: 'semgrep', content: byTool('semgrep', ['old']) });
  return { ...shop, send, ask };
}

test('a build passes once all of its reports are there and none has a new finding', async () => {
  const { send, ask, branch, admin } = await startBuild();
  expect(await ask()).toMatchObject({ passed: false, state: 'undecided', reasons: ['0 of 1 reports have come.'] });
  await send('semgrep', ['old']);
  expect(await ask({ tools: 'semgrep, trivy' })).toMatchObject({
    passed: false,
    state: 'undecided',
    reasons: ['No report of trivy has come.'],
  });
  expect(await ask({ reports: 2 })).toMatchObject({ state: 'undecided', reasons: ['1 of 2 reports have come.'] });
  await send('Trivy', []);
  const passed = { passed: true, state: 'passed', reasons: [] };
  expect(await ask({ tools: 'semgrep,trivy', reports: 2 })).toMatchObject({
    ...passed,
    reports: [{ tools: ['semgrep'], problem: null }, { tools: ['Trivy'] }],
  });
  const { id } = await branch('feature');
  expect(await admin.ok('judgeBuild', { params: { id }, query: { buildId: '7' } })).toMatchObject(passed);
  expect(await admin.ok('judgeBuild', { params: { id }, query: { buildId: '8' } })).toMatchObject({
    state: 'undecided',
  });
});

test('one failing report fails the build, and a later run of the tool replaces it', async () => {
  const { send, ask, admin, listed } = await startBuild();
  await send('semgrep', ['old']);
  await send('trivy', ['b']);
  expect(await ask()).toMatchObject({ state: 'failed', reasons: ['1 new high'], findings: [{ ruleId: 'b' }] });
  await send('trivy', []);
  expect(await ask()).toMatchObject({ state: 'passed', new: { high: 0 } });
  expect(await listed()).toEqual(['old open']);
  const { taskId } = await admin.ok('endNamedBranch', { query: { repository, ref: 'feature' } });
  await finished(admin, taskId);
  expect(await ask()).toMatchObject({
    passed: false,
    state: 'incomplete',
    reasons: [expect.stringContaining('has ended')],
  });
});

test('a broken or an incomplete report never passes', async () => {
  const { send, ask, admin } = await startBuild();
  await send('semgrep', ['old']);
  const content = '{"version":"2.1.0","runs":[{"tool":{"driver":{"name":"trivy"}},"results":[{"ruleId":';
  const broken = { content, format: 'sarif', scanType: 'trivy' };
  await admin.ok('importFindings', { query: soon, body: { repository, ref: 'feature', buildId: '7', ...broken } });
  expect(await ask()).toMatchObject({
    passed: false,
    state: 'incomplete',
    reasons: [expect.stringMatching(/counts for nothing: its import failed/)],
  });
  const unfinished = JSON.parse(byTool('trivy', []));
  unfinished.runs[0].invocations = [{ executionSuccessful: false }];
  await send('trivy', [], { content: JSON.stringify(unfinished) });
  expect(await ask()).toMatchObject({
    state: 'incomplete',
    reasons: [expect.stringMatching(/trivy .*it is incomplete/)],
  });
});

test('two tools that write the same format replace each other only under one name', async () => {
  const { send, ask } = await startBuild();
  await send('semgrep', ['b'], { scanType: undefined });
  await send('gosec', [], { scanType: undefined });
  expect(await ask()).toMatchObject({ state: 'failed', reasons: ['1 new high'], reports: [{}, {}] });
  await send('semgrep', [], { scanType: undefined });
  expect(await ask()).toMatchObject({ state: 'passed', reports: [{ tools: ['semgrep'] }, { tools: ['gosec'] }] });
});

test('a finding in two reports of a build counts once', async () => {
  const { send, ask } = await startBuild();
  await send('semgrep', ['b'], { part: 'a' });
  await send('semgrep', ['b'], { part: 'b' });
  expect(await ask()).toMatchObject({ state: 'failed', reasons: ['1 new high'] });
});

test('a build is that of its repository: the same number of another one says nothing', async () => {
  const { send, ask } = await startBuild();
  await send('semgrep', ['old'], { repository: 'https://git.example.com/acme/other' });
  expect(await ask()).toMatchObject({ state: 'undecided' });
  await send('trivy', [], { target: { type: 'container_image', value: 'registry.example.com/shop' } });
  expect(await ask()).toMatchObject({ state: 'passed', reports: [{ tools: ['trivy'] }] });
});
