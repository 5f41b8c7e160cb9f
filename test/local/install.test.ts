import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';

/** A clone installs packages before it runs a command, here by an npm that only notes what it was asked. */
const local = fileURLToPath(new URL('../../local', import.meta.url));
const LOCKED = {
  '': {},
  'node_modules/zod': { version: '4.0.0' },
  'node_modules/vitest': { version: '5.0.0', dev: true },
};
let clone: string;

beforeEach(() => {
  clone = mkdtempSync(join(tmpdir(), 'install-'));
  for (const file of ['run.mjs', 'help.mjs', 'follow-parent.mjs'])
    cpSync(join(local, file), join(clone, 'local', file));
  write('package.json', { type: 'module' });
  write('package-lock.json', { packages: LOCKED });
  for (const script of ['start', 'checks', 'report-mistakes']) writeFileSync(join(clone, 'local', `${script}.ts`), '');
  mkdirSync(join(clone, 'bin'));
  const npm = `#!${process.execPath}
    import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
    const args = process.argv.slice(2);
    appendFileSync('asked', args.filter((one) => !/audit|fund|loglevel/.test(one)).join(' ') + '\\n');
    const all = Object.entries(JSON.parse(readFileSync('package-lock.json', 'utf8')).packages);
    const packages = Object.fromEntries(all.filter(([, one]) => !(one.dev && args.includes('--omit=dev'))));
    mkdirSync('node_modules', { recursive: true });
    writeFileSync('node_modules/.package-lock.json', JSON.stringify({ packages }));`;
  writeFileSync(join(clone, 'bin/npm'), npm, { mode: 0o755 });
});
afterEach(() => rmSync(clone, { recursive: true, force: true }));

function write(path: string, value: unknown): void {
  mkdirSync(dirname(join(clone, path)), { recursive: true });
  writeFileSync(join(clone, path), JSON.stringify(value));
}

/** @returns what npm was asked for since the last call */
function run(script: string): string[] {
  writeFileSync(join(clone, 'asked'), '');
  const env = { ...process.env, PATH: `${join(clone, 'bin')}:${process.env.PATH}` };
  execFileSync(process.execPath, ['local/run.mjs', `local/${script}.ts`], { cwd: clone, env, stdio: 'ignore' });
  return readFileSync(join(clone, 'asked'), 'utf8').split('\n').filter(Boolean);
}

test('the service starts with its dependencies alone; the tests add theirs and leave what may be running', () => {
  expect(run('start')).toEqual(['ci --omit=dev']);
  expect(run('start')).toEqual([]);
  expect(run('checks')).toEqual(['install --no-save']);
  expect(run('checks')).toEqual([]);
  expect(run('start')).toEqual([]);
});

test('a clone whose first command is the tests installs all at once', () => {
  expect(run('checks')).toEqual(['ci']);
  expect(run('start')).toEqual([]);
});

test('packages of another lockfile are installed again', () => {
  run('checks');
  write('package-lock.json', { packages: { ...LOCKED, 'node_modules/zod': { version: '4.0.1' } } });
  expect(run('start')).toEqual(['ci --omit=dev']);
  write('package-lock.json', { packages: { ...LOCKED, 'node_modules/zod': { version: '4.0.2' } } });
  expect(run('checks')).toEqual(['ci']);
});
