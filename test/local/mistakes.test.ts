import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import * as z from 'zod';
import { unreadAlarms } from '#infra/deploy-check.ts';
import { parseTenant } from '#infra/tenants.ts';
import { helpOf } from '#local/help.mjs';
import { sentenceOf } from '#local/mistake.ts';
import { plainEnvironment } from '../support/plain-environment.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const home = mkdtempSync(join(tmpdir(), 'mistakes-'));
afterAll(() => rmSync(home, { recursive: true }));
const { scripts } = z
  .object({ scripts: z.record(z.string(), z.string()) })
  .parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')));
const files = Object.values(scripts).map((line) => line.replace('node local/run.mjs ', ''));

const run = (...words: string[]) =>
  promisify(execFile)(process.execPath, ['local/run.mjs', ...words], { cwd: root, env: plainEnvironment });

/** The options of a script: those that it declares, and those that it shares with others. */
function optionsOf(file: string): string[] {
  const text = readFileSync(join(root, file), 'utf8');
  const own = [...text.matchAll(/(?:'([a-z-]+)'|\b([a-z]+)): \{ type: '(?:string|boolean)'/g)];
  const machine = /readOptions\('\w+', \{([^}]*)\}/.exec(text);
  const ofMachine = [...(machine?.[1] ?? '').matchAll(/(?:'([a-z-]+)'|\b([a-z]+)): '/g)];
  return [
    ...[...own, ...ofMachine].map(([, quoted, plain]) => quoted ?? plain ?? ''),
    ...(text.includes('...dataDirOption') || text.includes('options: dataDirOption') ? ['data-dir'] : []),
    ...(text.includes('...stackOptions') ? ['stack', 'region'] : []),
    ...(machine ? ['url', 'link-token-file', 'link-token', 'state-dir', 'name', 'zone'] : []),
  ];
}

test.each(files)('%s --help: docs/commands.md describes the command and exactly its options', (file) => {
  const help = helpOf(root, file) ?? expect.fail(`no help of ${file}`);
  const described = [...help.matchAll(/^ {2}(?:-c \S+ or )?--([a-z-]+)/gm)].map(([, name]) => name);
  expect(described.sort()).toEqual([...new Set(optionsOf(file))].sort());
  expect(help.split('\n')[1]).toMatch(/^\w+s /);
});

test('--help runs nothing, before or between other words, but leaves the words after -- to the other program', async () => {
  const { stdout } = await run('infra/deploy.ts', '--all', '--help');
  expect(stdout).toMatch(
    /^npm run deploy -- \[arguments\]\ndeploys .*\n(?: {2}.*\n)+docs\/commands.md has all commands.\n$/,
  );
  const refused = run('infra/deploy.ts', '--all', '--directory', join(home, 'none'), '--', '--help');
  await expect(refused).rejects.toMatchObject({ code: 1, stderr: `${join(home, 'none')} does not exist.\n` });
});

const text = join(home, 'text.txt');
writeFileSync(text, 'text');

test.each([
  ['infra/deploy.ts', ['--tenant', 'nobody'], 1, /^infra\/tenants\/ has no nobody: .*\n$/],
  ['infra/bootstrap.ts', ['--stack', 'x', '--region', 'eu-central-1'], 1, /^There are no AWS credentials: .*\n$/],
  ['infra/maintain.ts', ['verify', '--stack', 'x'], 1, /^Name the region with --region, .*\n$/],
  ['infra/bootstrap.ts', ['--stack', 'x', '--role', 'king'], 1, /^--role must be one of viewer, .*\n$/],
  ['infra/synth.ts', ['--nonsense'], 64, /^Unknown option '--nonsense'.*\nThe option --help .*\n$/],
  ['local/scanner.ts', ['--url', 'http://127.0.0.1:1', '--tools', text], 1, /text\.txt must be JSON: .*\n$/],
  ['local/agent.ts', ['--url', 'api.acme.example'], 64, /^--url must be an address such as https:.*\nusage: .*\n.*\n$/],
  ['local/invoke.ts', ['findings', 'package.json'], 1, /\nAn event of the function findings has requestContext: .*\n$/],
])('%s %j ends with a sentence and without a stack', async (file, words, code, stderr) => {
  await expect(run(file, ...words)).rejects.toMatchObject({ code, stderr: expect.stringMatching(stderr) });
});

test('a fault of the program keeps its stack, and ends the command with 1', async () => {
  const script = join(home, 'fault.ts');
  writeFileSync(script, "const nothing = JSON.parse('null');\nnothing.field;\n");
  await expect(run(script)).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/TypeError.*\n +at .*fault\.ts/),
  });
});

test('a refusal of AWS and a server that does not answer are sentences, wherever the error has them', () => {
  const refused = Object.assign(new Error('not yours'), { name: 'AccessDenied', $metadata: { httpStatusCode: 403 } });
  expect(sentenceOf(refused)).toBe('AWS refuses the credentials (AccessDenied): not yours');
  const cause = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:1'), { code: 'ECONNREFUSED' });
  expect(sentenceOf(new TypeError('fetch failed', { cause }))).toContain('cannot be reached');
  expect(sentenceOf(new TypeError('x is not a function'))).toBeUndefined();
});

test('the first settings of docs/operate.md are accepted', () => {
  const [, settings = ''] = /^ {4}(\{.*\})$/m.exec(readFileSync(join(root, 'docs/operate.md'), 'utf8')) ?? [];
  expect(unreadAlarms(parseTenant('acme.eu-central-1.json', settings))).toEqual([]);
});
