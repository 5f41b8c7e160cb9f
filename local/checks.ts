import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** `npm test`: type check, lint, then every test. The last line counts the tests; the exit code is 1 after a failure. */
const root = fileURLToPath(new URL('..', import.meta.url));
const results = join(root, 'dist/test-results.json');
const filters = process.argv.slice(2);

const failed = [
  run('type check', 'tsc', ['--noEmit']),
  run('lint', 'biome', ['check', '--error-on-warnings', '.']),
  run('tests', 'vitest', ['run', ...filters, '--reporter=default', '--reporter=json', `--outputFile=${results}`]),
].filter((part) => part !== undefined);
const counts = readCounts();
if (failed.length > 0) console.error(`\nfailed: ${failed.join(', ')}`);
console.log(`${counts.numPassedTests} passed, ${counts.numFailedTests} failed`);
process.exit(failed.length === 0 && counts.numPassedTests > 0 ? 0 : 1);

/** @returns the name of the part if it failed */
function run(name: string, command: string, args: string[]): string | undefined {
  mkdirSync(join(root, 'dist'), { recursive: true });
  console.log(`\n== ${name}`);
  const started = performance.now();
  const { status } = spawnSync(join(root, 'node_modules/.bin', command), args, { cwd: root, stdio: 'inherit' });
  console.log(
    `== ${name}: ${status === 0 ? 'ok' : 'failed'} after ${((performance.now() - started) / 1000).toFixed(1)} s`,
  );
  return status === 0 ? undefined : name;
}

function readCounts(): { numPassedTests: number; numFailedTests: number } {
  try {
    return JSON.parse(readFileSync(results, 'utf8'));
  } catch {
    return { numPassedTests: 0, numFailedTests: 0 };
  }
}
