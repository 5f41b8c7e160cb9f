import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { hasTerminals, keyOf, startCli } from '../support/cli.ts';
import { sarifReport } from '../support/sarif.ts';
import { startSystem } from '../support/system.ts';

const system = startSystem();
const cli = startCli();
const shop = ['--repository', 'https://git.example.com/acme/shop'];
const main = [...shop, '--ref', 'main', '--base', 'main', '--commit', 'm1', '--build-id', '1'];
const feature = [...shop, '--ref', 'feature', '--base', 'main', '--commit', 'f1', '--build-id', '2'];
const other = [...shop, '--ref', 'other', '--base', 'main', '--commit', 'o1', '--build-id', '3'];
const now = ['--timeout', '0'];
let env: Record<string, string | undefined>;

beforeAll(async () => {
  writeFileSync(join(cli.home, 'old.sarif'), sarifReport({ count: 1 }));
  writeFileSync(join(cli.home, 'new.sarif'), sarifReport({ count: 3 }));
  writeFileSync(join(cli.home, 'bandit.sarif'), sarifReport({ count: 1, tool: 'bandit', level: 'warning' }));
  writeFileSync(join(cli.home, 'broken.sarif'), '{"version": "2.1.0", "runs": [');
  env = await keyOf(system, await system.newOrganization(), ['findings:read', 'findings:write']);
  for (const [file, build] of [
    ['old.sarif', main],
    ['new.sarif', feature],
    ['bandit.sarif', feature],
    ['old.sarif', other],
  ] as const)
    expect(await cli.run(['import', file, ...build], { env })).toMatchObject({ code: 0 });
});

const gate = (...args: string[]) => cli.run(['gate', ...args], { env });

test('a build fails for its new findings alone, which are shown', async () => {
  const failed = await gate(...feature);
  expect(failed).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/✗ 2 new high\n✗ The gate failed \(2 reports, compared with main\)/),
  });
  const [head, ...rows] = failed.stdout
    .trimEnd()
    .split('\n')
    .map((line) => line.split('\t'));
  expect(head).toEqual(['SEVERITY', 'NEW', 'TITLE', 'LOCATION', 'RULE ID', 'ID']);
  expect(rows.map(([severity, isNew, , place]) => [severity, isNew, place])).toEqual([
    ['high', 'new', 'src/part-1/file-1.ts:3'],
    ['high', 'new', 'src/part-2/file-2.ts:3'],
  ]);
  expect(await gate(...feature, '--fail-on', 'critical')).toMatchObject({
    code: 0,
    stdout: '',
    stderr: expect.stringContaining('passed'),
  });
  const files = await gate(...feature, '--junit', 'gate.xml', '--sarif', 'gate.sarif', '--github');
  expect(files).toMatchObject({ code: 1, stdout: expect.stringContaining('::error file=src/part-1/file-1.ts,line=3') });
  expect(readFileSync(join(cli.home, 'gate.xml'), 'utf8')).toContain('failures="3"');
  const { runs } = JSON.parse(readFileSync(join(cli.home, 'gate.sarif'), 'utf8'));
  expect(runs[0].results).toHaveLength(2);
  expect(await gate(...feature, '--kev')).toMatchObject({ code: 0 });
});

test('a build with nothing new passes, unless what the base branch has counts too', async () => {
  expect(await gate(...other)).toMatchObject({
    code: 0,
    stderr: '✓ The gate passed (1 report, compared with main).\n',
  });
  const { code, stdout } = await gate(...other, '--no-new-only', '--json');
  expect({ code, ...JSON.parse(stdout) }).toMatchObject({ code: 1, state: 'failed', findings: [{ isNew: false }] });
});

test('a missing, unknown or broken report never passes', async () => {
  expect(await gate(...other, '--reports', '2', ...now)).toMatchObject({
    code: 5,
    stderr: expect.stringContaining('1 of 2 reports'),
  });
  expect(await gate(...other, '--tools', 'semgrep,trivy', ...now)).toMatchObject({
    code: 5,
    stderr: expect.stringContaining('No report of trivy has come'),
  });
  expect(await gate(...other, '--tools', 'semgrap', ...now)).toMatchObject({
    code: 5,
    stderr: expect.stringContaining('No report of semgrap has come: did you mean semgrep?'),
  });
  expect(await gate(...shop, '--ref', 'main', '--build-id', 'none', ...now)).toMatchObject({ code: 5 });
  const build = [...shop, '--ref', 'broken', '--base', 'main', '--build-id', '4'];
  expect(await cli.run(['import', 'broken.sarif', ...build], { env })).toMatchObject({ code: 5 });
  expect(await gate(...build, ...now)).toMatchObject({ code: 5, stderr: expect.stringContaining('no pass') });
  writeFileSync(join(cli.home, 'empty.sarif'), '');
  const halfway = [...shop, '--ref', 'halfway', '--base', 'main', '--build-id', '5'];
  expect(await cli.run(['import', 'bandit.sarif', 'empty.sarif', ...halfway], { env })).toMatchObject({ code: 5 });
  expect(await gate(...halfway, ...now)).toMatchObject({
    code: 5,
    stderr: expect.stringContaining('empty.sarif is empty'),
  });
  expect(await gate('--ref', 'main')).toMatchObject({ code: 2, stderr: expect.stringContaining('--repository') });
});

test.runIf(hasTerminals)('a terminal shows the findings as a table', async () => {
  const { code, screen } = await cli.inTerminal(['gate', ...feature], { env, columns: 80 });
  expect({ code, screen }).toMatchObject({ code: 1, screen: expect.stringContaining('SEVERITY') });
  expect(screen).toContain('\u001b[31m✗\u001b[39m The gate failed');
});
