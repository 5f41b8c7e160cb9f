import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';

const directory = mkdtempSync(join(tmpdir(), 'machine-'));
afterAll(() => rmSync(directory, { recursive: true }));

function start(program: string, ...more: string[]): Promise<{ code: unknown; said: string }> {
  const file = fileURLToPath(new URL(`../../../local/${program}.ts`, import.meta.url));
  return new Promise((resolve) => {
    execFile(process.execPath, [file, ...more], (error, _, said) => resolve({ code: error?.code ?? 0, said }));
  });
}

const url = ['--url', 'http://127.0.0.1:1'];
const wrong: [string, string, string[]][] = [
  ['scanner', 'no address', []],
  ['apex', 'no address', []],
  ['agent', 'no address', []],
  ['scanner', 'a capacity beyond its own', [...url, '--capacity', '51']],
  ['apex', 'a capacity beyond its own', [...url, '--capacity', '16']],
  ['apex', 'a capacity that is no number', [...url, '--capacity', 'many']],
  ['agent', 'an option of another program', [...url, '--capacity', '2']],
];

test.each(wrong)('the %s that is given %s says how it is called and does nothing', async (program, _, options) => {
  const { code, said } = await start(program, '--state-dir', directory, ...options);
  expect(code).toBe(64);
  expect(said).toContain(`usage: npm run ${program} -- --url URL [--link-token TOKEN]`);
});

test.each(['scanner', 'apex', 'agent'])('the %s that is not linked and has no token asks for one', async (program) => {
  const { code, said } = await start(program, '--state-dir', join(directory, program), ...url);
  expect(code).toBe(1);
  expect(said).toMatch(/is not linked yet: start it with --link-token/);
});
