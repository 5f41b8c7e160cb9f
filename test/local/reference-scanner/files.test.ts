import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { argumentsOf, defaultTools, installedTools, loadTools, type Tool } from '#local/reference-scanner/tools.ts';
import { startGitServer } from '../../support/git-server.ts';
import { eventually } from '../../support/wait.ts';
import {
  forever,
  inDirectory,
  leaveTrace,
  resultOf,
  script,
  start,
  stop,
  theService,
  traceOfTool,
  withScanner,
} from './bench.ts';

withScanner();

type Host = Awaited<ReturnType<typeof startGitServer>>;

const PASSWORD = 'ghs_secret';
let host: Host;
beforeEach(async () => {
  host = await startGitServer(PASSWORD);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await host.stop();
});

const login = { kind: 'code_host', username: null, secret: { token: PASSWORD } };
const secretsUrl = '/api/v1/scanner_communication/tasks/t1/secrets';

/** A tool that prints the files that it finds, with its arguments and its environment. */
const seeing = `
  const { readdirSync, readFileSync } = require('node:fs');
  const names = readdirSync('.', { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
  const files = names.map(({ parentPath, name }) => require('node:path').join(parentPath, name));
  process.stdout.write(JSON.stringify({ files, argv: process.argv, env: process.env }));`;
const tool = (code: string, more: Partial<Tool> = {}) =>
  script(code, { taskType: 'sast', arguments: ['--eval', code], parameters: {}, checkout: 'inside', ...more });

function give(parameters: object, more: object = {}, ...tools: Tool[]): void {
  start(...(tools.length > 0 ? tools : [tool(seeing)]));
  const target = { type: 'repository', value: host.url };
  theService().next.credentials = [login];
  theService().next.tasks.push({ id: 't1', type: 'sast', target, parameters, attempt: 1, secretsUrl, ...more });
}

const reportsOf = async (): Promise<{ files: string[]; argv: string[]; env: Record<string, string> }[]> => {
  const result = await resultOf('t1');
  expect(result).toMatchObject({ outcome: 'completed' });
  const reports = (result?.reports ?? []) as { content: string }[];
  return reports.map(({ content }) => JSON.parse(gunzipSync(Buffer.from(content, 'base64')).toString()));
};
/** Nothing of the repository is left, and nothing that was printed has the token. */
const expectNoTrace = () => {
  const left = existsSync(inDirectory('state/checkouts')) ? readdirSync(inDirectory('state/checkouts')) : [];
  expect(left).toEqual([]);
  const printed = [...vi.mocked(console.log).mock.calls, ...vi.mocked(console.error).mock.calls].flat().join('\n');
  expect(printed).not.toContain(PASSWORD);
};

describe('the files of a repository', () => {
  test('are those of the commit of the task, are removed afterwards, and only git gets the token', async () => {
    const wanted = host.commit({ 'src/a.ts': 'old' });
    host.commit({ 'src/b.ts': 'new' });
    give({ ref: 'main', commit: wanted });
    const [report] = await reportsOf();
    expect(report?.files).toEqual(['src/a.ts']);
    expect(JSON.stringify(report)).not.toContain(PASSWORD);
    expectNoTrace();
    expect(host.seen.at(-1)).toMatch(/^Basic /);
  });

  test('are those of the head of the branch where the task names no commit', async () => {
    host.commit({ a: '' });
    host.git('checkout', '--quiet', '-b', 'feature');
    host.commit({ b: '' });
    host.git('checkout', '--quiet', 'main');
    give({ ref: 'feature' });
    expect((await reportsOf())[0]?.files.toSorted()).toEqual(['a', 'b']);
  });

  test("are those of a fork's pull request, of which its repository has the head", async () => {
    host.commit({ a: '' });
    host.git('checkout', '--quiet', '--detach');
    host.git('update-ref', 'refs/pull/12/head', host.commit({ b: '' }));
    host.git('checkout', '--quiet', 'main');
    give({ ref: 'refs/pull/12/head' });
    expect((await reportsOf())[0]?.files.toSorted()).toEqual(['a', 'b']);
  });

  test('are only those that changed where the task asks for changes', async () => {
    host.commit({ 'a.ts': '1', 'lib/b.ts': '1', 'lib/gone.ts': '1' });
    host.git('checkout', '--quiet', '-b', 'feature');
    host.git('rm', '--quiet', 'lib/gone.ts');
    const commit = host.commit({ 'lib/b.ts': '2', 'c.ts': '1' });
    give({ ref: 'feature', commit, depth: 'changes', since: 'main' });
    expect((await reportsOf())[0]?.files.toSorted()).toEqual(['c.ts', 'lib/b.ts']);
  });

  test('never lead a tool out of them by a link', async () => {
    writeFileSync(inDirectory('outside'), 'of this machine');
    const link = host.commit({ target: inDirectory('outside') });
    const blob = host.git('rev-parse', `${link}:target`);
    host.git('update-index', '--add', '--cacheinfo', `120000,${blob},link`);
    host.git('commit', '--quiet', '--message', 'a link');
    const reading = `process.stdout.write(JSON.stringify(require('node:fs').readFileSync('link', 'utf8')))`;
    give({ ref: 'main' }, {}, tool(reading));
    expect((await reportsOf())[0]).toBe(inDirectory('outside'));
  });

  test('lack what would make a tool leave files or findings out, and the tool gets no login of the machine', async () => {
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'of this machine');
    vi.stubEnv('GITLEAKS_CONFIG', 'of this machine');
    host.commit({ a: '', '.gitleaksignore': '*', 'src/.semgrepignore': '*', 'src/b': '' });
    give({ ref: 'main' }, {}, tool(seeing, { environment: { DOCKER_CONFIG: '/nonexistent' } }));
    const [report] = await reportsOf();
    expect(report?.files.sort()).toEqual(['a', 'src/b']);
    expect(JSON.stringify(report?.env)).not.toContain('of this machine');
    expect(report?.env).toMatchObject({ DOCKER_CONFIG: '/nonexistent', PATH: process.env.PATH });
  });

  test('are removed also after the tool failed, was cancelled or the commit could not be fetched', async () => {
    host.commit({ a: '' });
    give({ ref: 'main' }, {}, tool('process.exit(3)'));
    expect(await resultOf('t1')).toMatchObject({ outcome: 'failed', error: { code: 'tool_failed' } });
    expectNoTrace();
    await stop();
    give({ ref: 'main', commit: 'f'.repeat(40) }, { id: 't2' });
    expect(await resultOf('t2')).toMatchObject({ outcome: 'failed', error: { code: 'not_fetched' } });
    expectNoTrace();
    await stop();
    give({ ref: 'main' }, { id: 't3' }, tool(leaveTrace('1') + forever));
    await eventually(() => expect(traceOfTool()).toBe('1'));
    theService().next.cancel.push({ taskId: 't3' });
    expect(await resultOf('t3')).toMatchObject({ outcome: 'cancelled' });
    expectNoTrace();
  });

  test('of a scanner that was killed are removed at its next start', async () => {
    mkdirSync(inDirectory('state/checkouts/t0/files'), { recursive: true });
    host.commit({ a: '' });
    give({ ref: 'main' });
    await reportsOf();
    expectNoTrace();
  });

  test.each([
    ['without a login', { secretsUrl: undefined }, 'not_fetched'],
    ['from where the task may not go', { publicOnly: true }, 'out_of_reach'],
    ['from a file of this machine', { target: { type: 'repository', value: 'file:///etc' } }, 'out_of_reach'],
  ])('are not fetched %s, and the failure shows no secret', async (_, more, code) => {
    host.commit({ a: '' });
    give({ ref: 'main' }, more);
    const result = await resultOf('t1');
    expect(result).toMatchObject({ outcome: 'failed', error: { code }, reports: [] });
    const saysWhatToDo = JSON.stringify(result).includes('"No login came with the task: for a private repository');
    expect(saysWhatToDo).toBe(code === 'not_fetched');
    expect(JSON.stringify(result)).not.toContain(PASSWORD);
    expectNoTrace();
  });
});

test('all tools of a type work on the same files, and each sends its report', async () => {
  host.commit({ a: '' });
  const other = tool(`process.stdout.write(JSON.stringify(process.argv.slice(1)))`, {
    name: 'other',
    format: 'bandit',
    checkout: 'outside',
    arguments: ['--eval', `process.stdout.write(JSON.stringify(process.argv.slice(1)))`, '--', '{checkout}'],
  });
  give({ ref: 'main' }, {}, tool(seeing), other);
  const [first, second] = await reportsOf();
  expect(first?.files).toEqual(['a']);
  expect(second).toEqual([inDirectory('state/checkouts/t1/files')]);
  expect((await resultOf('t1'))?.reports).toMatchObject([{ format: 'sarif' }, { format: 'bandit' }]);
});

describe('the repository does not choose what is found in it', () => {
  const argumentsFor = (name: string) => {
    const chosen = defaultTools.find((one) => one.name === name);
    if (!chosen) throw new Error(`no ${name}`);
    return argumentsOf(chosen, { target: 'https://git.example.com/a', exclusions: [], parameters: {}, checkout: '/c' });
  };

  test.each([
    ['semgrep', ['--disable-nosem', '--no-git-ignore']],
    ['bandit', ['--ignore-nosec', '--ini', '/dev/null']],
    ['gitleaks', ['--ignore-gitleaks-allow']],
    ['trivy', ['--offline-scan']],
    ['osv-scanner', ['--no-ignore', '--no-call-analysis=all']],
  ])('%s is told so', (name, wanted) => expect(argumentsFor(name)).toEqual(expect.arrayContaining(wanted)));

  test.each(['gitleaks', 'osv-scanner'])(
    '%s reads settings of the scanner in place of those of the repository',
    (name) => {
      const given = argumentsFor(name);
      const file = given[given.indexOf('--config') + 1] ?? '';
      expect(readFileSync(file, 'utf8')).not.toMatch(/ignore[dV]|allowlist|^path/im);
      expect(file).toMatch(/^\/.*reference-scanner\/settings/);
    },
  );

  test('Trivy asks for its database without a login of the machine', () => {
    expect(defaultTools.find(({ name }) => name === 'trivy')?.environment).toEqual({ DOCKER_CONFIG: '/nonexistent' });
  });
});

describe('a scanner offers only what it can do', () => {
  const install = (name: string, code: string) => {
    mkdirSync(inDirectory('bin'), { recursive: true });
    writeFileSync(inDirectory(`bin/${name}`), `#!/bin/sh\n${code}\n`);
    chmodSync(inDirectory(`bin/${name}`), 0o755);
  };

  test('and says which tools it looked for where there is none', async () => {
    vi.stubEnv('PATH', inDirectory('bin'));
    await expect(loadTools(undefined)).rejects.toThrow('semgrep, bandit, gitleaks, trivy, osv-scanner is installed');
    install('gitleaks', 'true');
    writeFileSync(inDirectory('bin/trivy'), 'not a program');
    expect((await installedTools()).map(({ name }) => name)).toEqual(['gitleaks']);
  });

  test.each(defaultTools.filter(({ checkout }) => checkout).map((one) => [one.name, one] as const))(
    '%s is run on the files and its report is sent as it wrote it',
    async (name, chosen) => {
      const sample = { 'osv-scanner': 'lockfile', semgrep: 'scan', gitleaks: 'v8', trivy: 'config' }[name] ?? 'report';
      const report = `test/fixtures/reports/${chosen.format}/${sample}.json`;
      install(name, `echo "$PWD $*" > ${inDirectory('trace')}; cat ${process.cwd()}/${report}`);
      host.commit({ a: '' });
      vi.stubEnv('PATH', `${inDirectory('bin')}:${process.env.PATH}`);
      give({ ref: 'main' }, { type: chosen.taskType }, chosen);
      expect((await reportsOf())[0]).toEqual(JSON.parse(readFileSync(report, 'utf8')));
      const files = inDirectory('state/checkouts/t1/files');
      expect(traceOfTool()).toContain(chosen.checkout === 'inside' ? `${files} ` : `--offline-scan ${files}`);
      expectNoTrace();
    },
  );
});
