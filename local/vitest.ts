import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * Runs test files in this terminal. @returns the exit code; an aborted run or one that never began prints the reason,
 * and has code 1
 */
export function runVitest(args: readonly string[], env: Record<string, string | undefined>): number {
  const program = join(root, 'node_modules/vitest/vitest.mjs');
  const options = { cwd: root, stdio: 'inherit', env: { ...process.env, ...env } } as const;
  const { status, signal, error } = spawnSync(process.execPath, [program, 'run', ...args], options);
  if (status !== null) return status;
  console.error(error ? `The tests cannot be started: ${error.message}` : `The tests were ended by ${signal}.`);
  return 1;
}
