import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { lockDataDir } from '#local/data-dir-lock.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'lock-'));
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

const holder = `
  import { lockDataDir } from ${JSON.stringify(new URL('../../local/data-dir-lock.ts', import.meta.url).href)};
  lockDataDir(${JSON.stringify(dataDir)});
  console.log('locked');
  setInterval(() => undefined, 1_000);
`;

test('two systems never work on the same data, and a killed one does not keep the next from starting', async () => {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', holder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  expect(() => lockDataDir(dataDir)).toThrow('is in use by another running system');
  child.kill('SIGKILL');
  await once(child, 'exit');
  lockDataDir(dataDir).release();
  lockDataDir(dataDir).release();
});
