import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The tests of `npm test`, and the two parts of `npm run test:deep`. */
type Tier = 'change' | 'deep' | 'stack';

const resultsOf = (tier: Tier): string => join(root, `dist/test-results-${tier}.json`);

/** Vitest's report, in the format of Jest. Times in ms. */
type Report = {
  numPassedTests: number;
  numFailedTests: number;
  testResults: { name: string; startTime: number; endTime: number }[];
};

/** Runs a command of node_modules/.bin and prints how long it took. @returns the name of the part if it failed */
export function runPart(
  name: string,
  command: string,
  args: string[],
  env: NodeJS.ProcessEnv = {},
): string | undefined {
  console.log(`\n== ${name}`);
  const started = performance.now();
  const path = join(root, 'node_modules/.bin', command);
  const { status } = spawnSync(path, args, { cwd: root, stdio: 'inherit', env: { ...process.env, ...env } });
  const outcome = status === 0 ? 'ok' : 'failed';
  console.log(`== ${name}: ${outcome} after ${((performance.now() - started) / 1000).toFixed(1)} s`);
  return status === 0 ? undefined : name;
}

/**
 * Runs the tests of a tier (vitest.config.ts). `npm test` with filters runs each file whose path contains one of them, of both tiers.
 * @param chosen which share of the tier (vitest.config.ts)
 * @returns the name of the part if some failed
 */
export function runTests(tier: Tier, filters: string[], chosen: NodeJS.ProcessEnv = {}): string | undefined {
  mkdirSync(join(root, 'dist'), { recursive: true });
  rmSync(resultsOf(tier), { force: true });
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile=${resultsOf(tier)}`];
  const name = tier === 'change' ? 'tests' : `tests (${tier})`;
  const env = tier === 'change' && filters.length > 0 ? {} : { TEST_TIER: tier, ...chosen };
  return runPart(name, 'vitest', ['run', '--passWithNoTests', ...filters, ...reporters], env);
}

/** Prints the slowest test files and, as the last line, the number of tests; then ends with 1 if a part failed or no test ran. */
export function conclude(tiers: readonly Tier[], parts: readonly (string | undefined)[]): never {
  const reports = tiers.map(readReport);
  const failed = parts.filter((part) => part !== undefined);
  console.log('\n== slowest files');
  for (const { name, seconds } of reports
    .flatMap(filesOf)
    .toSorted((a, b) => b.seconds - a.seconds)
    .slice(0, 10))
    console.log(`${seconds.toFixed(1).padStart(6)} s  ${name}`);
  if (failed.length > 0) console.error(`\nfailed: ${failed.join(', ')}`);
  const passed = sum(reports.map(({ numPassedTests }) => numPassedTests));
  console.log(`${passed} passed, ${sum(reports.map(({ numFailedTests }) => numFailedTests))} failed`);
  process.exit(failed.length === 0 && passed > 0 ? 0 : 1);
}

/** The files of a tier as they were last run, with the time from the first test to the end of the last. */
export const filesOfTier = (tier: Tier) => filesOf(readReport(tier));

const filesOf = ({ testResults }: Report): { name: string; seconds: number }[] =>
  testResults.map(({ name, startTime, endTime }) => ({
    name: name.slice(root.length),
    seconds: (endTime - startTime) / 1000,
  }));

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

function readReport(tier: Tier): Report {
  try {
    return JSON.parse(readFileSync(resultsOf(tier), 'utf8'));
  } catch {
    return { numPassedTests: 0, numFailedTests: 0, testResults: [] };
  }
}
