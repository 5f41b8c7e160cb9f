import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';

const launcher = fileURLToPath(new URL('../../local/run.mjs', import.meta.url));
const elsewhere = mkdtempSync(join(tmpdir(), 'run-'));
const script = join(elsewhere, 'script.ts');
afterAll(() => rmSync(elsewhere, { recursive: true, force: true }));

writeFileSync(
  script,
  `const [what, ...rest]: string[] = process.argv.slice(2);
   process.on('SIGTERM', () => process.exit(7));
   console.log(JSON.stringify({ major: process.versions.node.split('.')[0], pid: process.pid, cwd: process.cwd(), rest }));
   if (what === 'wait') setInterval(() => undefined, 1_000); else process.exitCode = 5;`,
);

async function launch(...args: string[]) {
  const child = spawn(process.execPath, [launcher, script, ...args], {
    cwd: elsewhere,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await once(child.stdout, 'data');
  return { child, said: JSON.parse(String(line)) };
}

test('a script runs under the pinned Node from any directory, with its arguments and its exit code', async () => {
  const { child, said } = await launch('once', 'a b', '--flag');
  const [code] = await once(child, 'exit');
  expect(code).toBe(5);
  expect(said).toMatchObject({ major: '24', cwd: elsewhere, rest: ['a b', '--flag'] });
});

test('a signal reaches the script, so that stopping the launcher stops the service cleanly', async () => {
  const { child } = await launch('wait');
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([7, null]);
});

test.each(['SIGTERM', 'SIGKILL'] as const)('an npm that ends by %s takes the script along', async (signal) => {
  const scripts = { wait: `"${process.execPath}" "${launcher}" "${script}" wait` };
  writeFileSync(join(elsewhere, 'package.json'), JSON.stringify({ scripts }));
  const npm = spawn('npm', ['run', '--silent', 'wait'], { cwd: elsewhere, stdio: ['ignore', 'pipe', 'inherit'] });
  await once(npm.stdout, 'data');
  npm.kill(signal);
  await once(npm, 'close');
});

test('a killed launcher takes its script along, so that the port is free for the next start', async () => {
  const { child } = await launch('wait');
  child.kill('SIGKILL');
  // The output closes when the last process that holds it is gone.
  await once(child, 'close');
});
