import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { hasTerminals, keyOf, startCli } from '../support/cli.ts';
import { sarifReport } from '../support/sarif.ts';
import { startSystem, type TestOrganization } from '../support/system.ts';

const system = startSystem();
const cli = startCli();
let env: Record<string, string | undefined>;
let admin: TestOrganization['admin'];
const at = ['--repository', 'https://git.example.com/acme/shop', '--ref', 'main', '--base', 'main'];

beforeAll(async () => {
  const organization = await system.newOrganization();
  admin = organization.admin;
  env = await keyOf(system, organization, ['findings:read', 'findings:write', 'assets:read', 'scans:trigger']);
  writeFileSync(join(cli.home, 'a.sarif'), sarifReport({ count: 4 }));
  writeFileSync(join(cli.home, 'b.sarif'), sarifReport({ count: 2, tool: 'bandit', level: 'warning' }));
  expect(await cli.run(['import', 'a.sarif', 'b.sarif', ...at], { env })).toMatchObject({ code: 0 });
});

const triage = (...args: string[]) => cli.run(['triage', ...args], { env });
const statuses = async (tool: string) =>
  (await admin.ok('listFindings', { query: { tool } })).data.map(({ status }) => status);

test('a change of many findings is previewed exactly, made on demand alone, and undone', async () => {
  const wanted = ['--filter', 'tool:bandit', '--status', 'false_positive', '--reason', 'test data'];
  const dry = await triage(...wanted, '--dry-run');
  expect(dry).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^2 findings: 2 would change, 0 would stay, 0 would refuse/),
  });
  expect(await triage(...wanted)).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('--yes') });
  expect(await statuses('bandit')).toEqual(['open', 'open']);
  const done = await triage(...wanted, '--yes');
  expect(done).toMatchObject({ code: 0, stdout: '', stderr: expect.stringContaining('2 findings changed') });
  expect(await statuses('bandit')).toEqual(['false_positive', 'false_positive']);
  const [, taskId = ''] = /--undo (\S+)/.exec(done.stderr) ?? [];
  expect(await triage('--undo', taskId)).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('2 findings restored'),
  });
  expect(await statuses('bandit')).toEqual(['open', 'open']);
});

test('findings are named by their ids, as arguments or after --id', async () => {
  const { data } = await admin.ok('listFindings', { query: { tool: 'bandit' } });
  const [one = '', other = ''] = data.map(({ id }) => id);
  const wanted = ['--status', 'in_progress', '--dry-run'];
  for (const ids of [
    [one, other],
    [one, '--id', other],
    ['--id', `${one},${other}`],
  ])
    expect(await triage(...ids, ...wanted)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^2 findings: 2 would change/),
    });
  expect(await triage(one, '--filter', 'tool:bandit', ...wanted)).toMatchObject({ code: 2 });
});

test('a change without findings, without a change or to an unknown day is refused', async () => {
  expect(await triage('--status', 'open')).toMatchObject({ code: 2, stderr: expect.stringContaining('--filter') });
  expect(await triage('--filter', 'tool:bandit')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--status'),
  });
  expect(await triage('--filter', 'tool:bandit', '--until', 'soon')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('2027-01-31'),
  });
});

test.runIf(hasTerminals)('a person in a terminal sees the findings and is asked first', async () => {
  const args = ['triage', '--filter', 'tool:semgrep', '--status', 'in_progress'];
  const no = await cli.inTerminal(args, { env, answers: [['Change 4 findings?', 'n']] });
  expect(no).toMatchObject({ code: 130, screen: expect.stringContaining('Nothing was changed') });
  expect(no.screen).toContain('src/part-0/file-0.ts');
  const yes = await cli.inTerminal(args, { env, answers: [['Change 4 findings?', 'y']] });
  expect(yes).toMatchObject({ code: 0, screen: expect.stringContaining('4 findings changed') });
  expect(new Set(await statuses('semgrep'))).toEqual(new Set(['in_progress']));
});

test('an export is a whole file, or goes to standard output', async () => {
  const csv = await cli.run(['export', 'findings', '--filter', 'tool:bandit'], { env });
  expect({ code: csv.code, lines: csv.stdout.trimEnd().split('\n').length }).toEqual({ code: 0, lines: 3 });
  const saved = await cli.run(['export', 'findings', '--format', 'sarif', '--output', 'all.sarif'], { env });
  expect(saved).toMatchObject({ code: 0, stdout: '', stderr: '✓ all.sarif\n' });
  expect(JSON.parse(readFileSync(join(cli.home, 'all.sarif'), 'utf8'))).toMatchObject({ version: '2.1.0' });
  const wrong = await cli.run(['export', 'assets', '--format', 'sarif'], { env });
  expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining('csv, jsonl') });
});

test('a scan starts, and its task is waited for', async () => {
  const started = await cli.run(['scan', 'start', '10.1.2.0/30', '--type', 'network'], { env });
  expect(started).toMatchObject({ code: 0, stdout: expect.stringMatching(/^[\da-f-]{36}\n$/) });
  const waited = await cli.run(['task', 'wait', started.stdout.trim()], { env });
  expect(waited).toMatchObject({ code: 0, stdout: expect.stringContaining('succeeded') });
  const { data } = await admin.ok('listEngagements');
  expect(data).toMatchObject([{ title: 'Scan of 10.1.2.0/30', kind: 'vulnerability_scan' }]);
  expect(await cli.run(['scan', 'start', 'a.example'], { env })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--type'),
  });
});
