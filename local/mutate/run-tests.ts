import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

/** The code, and the copy of it that is changed. */
export type Code = { root: string; copy: string };

/** A change by which a test never ends is noticed too. */
const MOST_MS = 900_000;

/** Runs test files on the copy. @returns whether all passed */
export function runTests({ root, copy }: Code, tests: readonly string[], env: Record<string, string> = {}): boolean {
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  const options = { cwd: copy, stdio: 'ignore', timeout: MOST_MS, env: { ...process.env, ...env } } as const;
  return spawnSync(process.execPath, [vitest, 'run', ...tests, '--bail=1'], options).status === 0;
}
