import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { beforeAll, expect, test } from 'vitest';
import { keyOf, startCli } from '../support/cli.ts';
import { sarifReport } from '../support/sarif.ts';
import { startSystem } from '../support/system.ts';

const system = startSystem();
const cli = startCli();
let env: Record<string, string | undefined>;

const place = (repository: string) => [
  '--repository',
  `https://git.example.com/acme/${repository}`,
  '--ref',
  'main',
  '--base',
  'main',
  '--build-id',
  '1',
];

beforeAll(async () => {
  env = await keyOf(system, await system.newOrganization(), ['findings:read', 'findings:write']);
  writeFileSync(join(cli.home, 'report.sarif'), sarifReport({ count: 3, rule: '=1+1' }));
  expect(await cli.run(['import', 'report.sarif', ...place('shop')], { env })).toMatchObject({ code: 0 });
});

const list = (...args: string[]) =>
  cli.run(['findings', 'list', ...args], { env: { ...env, GITHUB_STEP_SUMMARY: join(cli.home, 'summary.md') } });
const textOf = (file: string): string => readFileSync(join(cli.home, file), 'utf8');

test('one list writes the files of other programs beside what it prints', async () => {
  const { code, stdout, stderr } = await list(
    '--columns',
    'id',
    '--sarif',
    'out.sarif',
    '--junit',
    'out.xml',
    '--gitlab',
    'out.json',
  );
  expect({ code, stderr, lines: stdout.trim().split('\n').length }).toEqual({ code: 0, stderr: '', lines: 4 });
  expect(JSON.parse(textOf('out.sarif')).runs).toMatchObject([
    { tool: { driver: { name: 'semgrep' } }, results: [{}, {}, {}] },
  ]);
  expect(textOf('out.xml')).toContain('<testsuite name="exposure findings" tests="3" failures="3"');
  expect(JSON.parse(textOf('out.json'))).toHaveLength(3);
  // the service reads what it wrote: the same files, lines and rules
  expect(await cli.run(['import', 'out.sarif', ...place('copy')], { env })).toMatchObject({ code: 0 });
  const placesOf = async (name: string) => {
    const { stdout: text } = await list('--filter', 'severity:high', '--json');
    const all: { asset: { name: string }; location: string; ruleId: string; severity: string }[] = JSON.parse(text);
    return all
      .filter(({ asset }) => asset.name.endsWith(name))
      .map(({ location, ruleId, severity }) => [location, ruleId, severity].join(' '))
      .sort();
  };
  expect(await placesOf('copy')).toEqual(await placesOf('shop'));
});

test('a CSV has the fields of the records, and no formula', async () => {
  const rows = parse((await list('--csv', '--filter', 'severity:high')).stdout, { columns: true });
  expect(rows.length).toBeGreaterThan(0);
  expect(rows[0]).toMatchObject({ ruleId: "'=1+1", severity: 'high', 'asset.type': 'repository', kev: 'false' });
  expect((await list('--csv', '--columns', 'severity,asset.type', '--limit', '1')).stdout).toBe(
    'severity,asset.type\r\n"high","repository"\r\n',
  );
});

test('GitHub gets annotations and the summary of the step; a file that cannot be written is no success', async () => {
  const { code, stdout } = await list('--columns', 'id', '--limit', '3', '--github');
  expect(code).toBe(0);
  expect(stdout.match(/^::error file=src\/part-\d\/file-\d\.ts,line=3,title=high%3A =1\+1::SQL built/gm)).toHaveLength(
    3,
  );
  expect(textOf('summary.md')).toMatch(/^### \d findings\n\n\| severity \|/);
  const wrong = await list('--sarif', 'no/folder/out.sarif');
  expect(wrong).toMatchObject({
    code: 5,
    stderr: expect.stringContaining('no/folder/out.sarif cannot be written: ENOENT'),
  });
});

test('a gate that fails writes its verdict for each program, and the runner reads no command in its table', async () => {
  const files = ['--junit', 'gate.xml', '--sarif', 'gate.sarif', '--gitlab', 'gate.json', '--github'];
  const GITHUB_STEP_SUMMARY = join(cli.home, 'gate.md');
  const judged = await cli.run(['gate', ...place('shop'), '--timeout', '0', ...files], {
    env: { ...env, GITHUB_STEP_SUMMARY },
  });
  expect(judged).toMatchObject({ code: 1, stderr: expect.stringContaining('The gate failed') });
  expect(judged.stdout).toMatch(/^::stop-commands::(\S+)\n.*\n::\1::\n(::error file=[^\n]*\n){3}$/s);
  expect(textOf('gate.xml')).toMatch(/tests="4" failures="4".*<failure type="gate" message="3 new high"/s);
  expect(JSON.parse(textOf('gate.sarif')).runs).toMatchObject([{ results: [{ baselineState: 'new' }, {}, {}] }]);
  expect(JSON.parse(textOf('gate.json'))).toHaveLength(3);
  expect(textOf('gate.md')).toMatch(/^### Exposure gate did not pass, compared with main\n\n- 3 new high/);
});
