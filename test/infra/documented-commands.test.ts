import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import * as z from 'zod';
import { plainEnvironment } from '../support/plain-environment.ts';

const { scripts } = z
  .object({ scripts: z.record(z.string(), z.string()) })
  .parse(JSON.parse(readFileSync('package.json', 'utf8')));

const pages = [
  'README.md',
  'CONTRIBUTING.md',
  ...readdirSync('docs').flatMap((name) => (name.endsWith('.md') ? `docs/${name}` : [])),
];

/** The commands that begin a line of code or are between backticks. */
const COMMAND =
  /(?:^ {4,}|^|`|\(|=\$\()((?:npm run [a-z:-]+|npm (?:start|test)\b|npx cdk [a-z]+|aws [a-z0-9]+ [a-z-]+|sam local [a-z-]+|pip install aws[a-z-]+|curl\b))/gm;

const commands = new Set(
  pages.flatMap((page) => [...readFileSync(page, 'utf8').matchAll(COMMAND)].map(([, command = '']) => command)),
);

const tried = new Map(
  readFileSync('docs/commands.md', 'utf8')
    .split('\n')
    .flatMap((line) => {
      const [, command, by] = /^\| `([^`]+)` \| .+ \| ([^|]+) \|$/.exec(line) ?? [];
      return command && by ? [[command, by] as const] : [];
    }),
);

test('each command of the documents is on the page that says how it is tried, and exists', () => {
  expect([...commands].filter((command) => !tried.has(command)).sort()).toEqual([]);
  const unknown = [...tried.keys()].flatMap((command) => {
    const [, script] = /^npm run (\S+)$/.exec(command) ?? [];
    return script !== undefined && !(script in scripts) ? [script] : [];
  });
  expect(unknown).toEqual([]);
});

test('each test that the page names runs the program of the command', () => {
  const wrong = [...tried].filter(([command, by]) => {
    const script = scripts[command.replace(/^npm (run )?/, '')];
    const [file] = /^test\/\S+\.ts/.exec(by) ?? [];
    if (!file || !script) return !/needs|is |test\//.test(by);
    const program = basename(script.split(' ').at(-1) ?? '', '.ts');
    if (!existsSync(file)) return true;
    const text = readFileSync(file, 'utf8');
    return !/execFile|spawn|start(Program|Scanner|Agent)/.test(text) || !text.includes(program);
  });
  expect(wrong).toEqual([]);
});

const directory = mkdtempSync(join(tmpdir(), 'documented-'));
afterAll(() => rmSync(directory, { recursive: true }));
const run = (program: string, ...args: string[]) =>
  promisify(execFile)(process.execPath, [`infra/${program}.ts`, ...args], {
    env: { ...plainEnvironment, CDK_OUTDIR: join(directory, 'cdk.out') },
  });

test('npm run openapi writes the API document', async () => {
  expect((await run('openapi')).stdout).toMatch(/^dist\/openapi\.json: \d{3} paths\n$/);
});

test('npm run build bundles every function', async () => {
  expect((await run('build')).stdout).toMatch(/^dist\/functions\/findings +\d+ KB$/m);
});

test('npm run build:console bundles the console within its bound', async () => {
  const { stdout } = await run('build-console');
  expect(stdout).toMatch(/^(?:static\/[\w-]+\.js: \d+ KB of scripts, compressed, when it is the first page\n)+$/);
});

test('npm run synth writes the template of a tenant without an account', async () => {
  expect((await run('synth', '-c', 'tenant=main')).stderr).toContain('main-production-eu-central-1.template.json');
  const templates = readdirSync(join(directory, 'cdk.out')).filter((name) => name.endsWith('.template.json'));
  const nested = templates.filter((name) => name.endsWith('.nested.template.json'));
  expect(templates.length - nested.length).toBe(1);
  expect(nested.some((name) => name.includes('Wingfindings'))).toBe(true);
});

test('npm run docs changes nothing that is committed: the pages are as the declarations say', async () => {
  const made = ['docs/table.md', 'docs/states.md', 'docs/report-formats.md', 'docs/exposed-services.md'];
  const before = made.map((page) => readFileSync(page, 'utf8'));
  await run('write-documents');
  expect(made.map((page) => readFileSync(page, 'utf8'))).toEqual(before);
});
