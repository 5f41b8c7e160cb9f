import { copyFileSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeAll, expect, test } from 'vitest';
import { hasTerminals, keyOf, startCli } from '../support/cli.ts';
import { sarifReport } from '../support/sarif.ts';
import { startSystem } from '../support/system.ts';

const system = startSystem();
const cli = startCli();
const repository = [
  '--repository',
  'https://git.example.com/acme/shop',
  '--ref',
  'main',
  '--base',
  'main',
  '--commit',
  'a1',
];

beforeAll(() => {
  mkdirSync(join(cli.home, 'reports'));
  writeFileSync(join(cli.home, 'reports/semgrep.sarif'), sarifReport({ count: 3 }));
  writeFileSync(
    join(cli.home, 'reports/trivy.sarif'),
    gzipSync(sarifReport({ count: 2, tool: 'trivy', level: 'warning' })),
  );
  writeFileSync(join(cli.home, 'broken.sarif'), '{"version": "2.1.0", "runs": [');
  writeFileSync(join(cli.home, 'empty.sarif'), '');
});

async function world() {
  const organization = await system.newOrganization();
  return { ...organization, env: await keyOf(system, organization, ['findings:read', 'findings:write']) };
}

test('several reports of a build are imported by a pattern, packed ones as they are; data and messages are apart', async () => {
  const { admin, env } = await world();
  const { code, stdout, stderr } = await cli.run(['import', 'reports/*.sarif', ...repository, '--json'], { env });
  expect({ code, ...JSON.parse(stdout) }).toMatchObject({
    code: 0,
    repository: 'https://git.example.com/acme/shop',
    imports: [
      { file: 'semgrep.sarif', status: 'succeeded', result: { created: 3 }, warnings: [] },
      { file: 'trivy.sarif', status: 'succeeded', result: { created: 2 }, warnings: [] },
    ],
  });
  expect(stderr).toBe('✓ semgrep.sarif: 3 new\n✓ trivy.sarif: 2 new\n');
  const { totalCount, data } = await admin.ok('listFindings');
  expect({ totalCount, severities: data.map(({ severity }) => severity).sort() }).toEqual({
    totalCount: 5,
    severities: ['high', 'high', 'high', 'medium', 'medium'],
  });
  expect(readdirSync(join(cli.home, '.local/state/exposure/imports'))).toEqual([]);
});

test('a report comes from standard input', async () => {
  const { admin, env } = await world();
  const sent = await cli.run(['import', '-', ...repository], { env, input: sarifReport({ count: 1 }) });
  expect(sent).toMatchObject({ code: 0, stdout: '', stderr: '✓ standard input: 1 new\n' });
  expect(await admin.ok('listFindings')).toMatchObject({ totalCount: 1 });
});

test('a report that packs well is uploaded where it is larger than a body may be once it is unpacked', async () => {
  const { env } = await world();
  // blanks that pack like a report; blanks alone are refused as a bomb
  const blanks =
    Array.from({ length: 4096 }, (_, i) => (Math.sin(i * i) > 0 ? ' ' : '\n')).join('') + ' '.repeat(60_000);
  writeFileSync(join(cli.home, 'wide.sarif'), sarifReport({ count: 1 }) + blanks.repeat(1_050));
  expect(await cli.run(['import', 'wide.sarif', ...repository], { env })).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('✓ wide.sarif: 1 new'),
  });
});

test('a broken, empty or missing report never passes, and the others of the build are imported all the same', async () => {
  const { admin, env } = await world();
  const files = ['broken.sarif', 'empty.sarif', 'reports/semgrep.sarif'];
  const mixed = await cli.run(['import', ...files, ...repository], { env });
  expect(mixed).toMatchObject({
    code: 5,
    stderr: expect.stringMatching(/✗ broken.*✗ empty\.sarif.*✓ semgrep.*2 of 3 reports/s),
  });
  expect(await admin.ok('listFindings')).toMatchObject({ totalCount: 3 });
  const missing = await cli.run(['import', 'gone.sarif', ...repository], { env });
  expect(missing).toMatchObject({ code: 5, stderr: expect.stringContaining('gone.sarif names no file') });
  expect(await cli.run(['import', '-', ...repository], { env })).toMatchObject({ code: 5 });
});

test('a report that is missing keeps the gate from passing until it comes, and the others are read', async () => {
  const { admin, env } = await world();
  const at = [...repository, '--build-id', 'missing'];
  const none = await cli.run(['gate', '--timeout', '0.05', ...at], { env });
  expect(none).toMatchObject({ code: 5, stderr: expect.stringMatching(/No report of this build .*exposure import/) });
  const some = await cli.run(['import', 'later/*.sarif', 'reports/semgrep.sarif', ...at], { env });
  expect(some).toMatchObject({ code: 5, stderr: expect.stringMatching(/later.* names no file.*✓ semgrep/s) });
  expect(await admin.ok('listFindings')).toMatchObject({ totalCount: 3 });
  const gate = () => cli.run(['gate', '--fail-on', 'critical', ...at], { env });
  expect(await gate()).toMatchObject({
    code: 5,
    stderr: expect.stringMatching(/later\/\*\.sarif.*another --build-id/s),
  });
  mkdirSync(join(cli.home, 'later'), { recursive: true });
  copyFileSync(join(cli.home, 'reports/semgrep.sarif'), join(cli.home, 'later/semgrep.sarif'));
  expect(await cli.run(['import', 'later/*.sarif', ...at], { env })).toMatchObject({ code: 0 });
  expect(await gate()).toMatchObject({ code: 0 });
  const folder = await cli.run(['import', 'later', ...at], { env });
  expect(folder).toMatchObject({ code: 5, stderr: expect.stringContaining('later is a folder') });
});

test('a key without the right is refused with what it lacks, and no secret is shown', async () => {
  const env = await keyOf(system, await system.newOrganization(), ['findings:read']);
  const refused = await cli.run(['import', 'reports/semgrep.sarif', ...repository], { env });
  expect(refused).toMatchObject({ code: 3, stdout: '', stderr: expect.stringContaining('findings:write') });
  expect(refused.stderr).not.toContain(env.EXPOSURE_KEY);
});

test('a clone of a repository names its build itself', async () => {
  const { env } = await world();
  const ci = {
    GITLAB_CI: 'true',
    CI_PROJECT_URL: 'https://gitlab.example.com/acme/shop',
    CI_COMMIT_REF_NAME: 'feature',
    CI_COMMIT_SHA: 'b2',
    CI_DEFAULT_BRANCH: 'main',
  };
  const { stdout } = await cli.run(['import', 'reports/semgrep.sarif', '--json'], { env: { ...env, ...ci } });
  expect(JSON.parse(stdout)).toMatchObject({
    repository: 'https://gitlab.example.com/acme/shop',
    ref: 'feature',
    commit: 'b2',
    baseRef: 'main',
    imports: [{ status: 'succeeded' }],
  });
});

test.runIf(hasTerminals)('a terminal shows the progress on a line that ends clean', async () => {
  const { env } = await world();
  const { code, screen } = await cli.inTerminal(['import', 'reports/semgrep.sarif', ...repository], { env });
  expect({ code, screen }).toMatchObject({
    code: 0,
    screen: expect.stringContaining('Sending semgrep.sarif\r\u001b[K'),
  });
  expect(screen).toMatch(/✓.{0,8} semgrep\.sarif: 3 new\n/);
});

test('outside of a clone a report is refused until somebody says what was scanned', async () => {
  const { admin, env } = await world();
  const report = ['import', 'reports/semgrep.sarif'];
  const refused = await cli.run(report, { env });
  expect(refused).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('--target') });
  expect(await admin.ok('listImports')).toMatchObject({ totalCount: 0 });
  expect(await cli.run([...report, '--target', 'registry.example.com/shop:1'], { env })).toMatchObject({ code: 0 });
  expect(await cli.run([...report, '--no-target'], { env })).toMatchObject({ code: 0 });
});

test.runIf(hasTerminals)('a terminal is asked what was scanned', async () => {
  const { admin, env } = await world();
  const answers: [string, string][] = [['What was scanned?', 'git@git.example.com:acme/shop.git\r']];
  const asked = await cli.inTerminal(['import', 'reports/semgrep.sarif'], { env, answers });
  expect(asked).toMatchObject({ code: 0, screen: expect.stringContaining('semgrep.sarif: 3 new') });
  expect((await admin.ok('listAssets')).data).toMatchObject([{ type: 'repository' }]);
});
