import { globSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { configDefaults, defineConfig } from 'vitest/config';
import { filesOfShare } from './local/test-shares.ts';

/** `npm run fuzz` runs one file, which has a system of its own. */
const { FUZZ_FILE, TEST_TIER, TEST_SHARE } = process.env;

/** Run by `npm run test:deep` with the settings of the stack, which decide what these files find. */
const WITH_SETTINGS_OF_THE_STACK = [
  'test/deep/endless-lists.test.ts',
  'test/http/{code-hosts,code-host-lists,code-scans,installations,webhooks,gitlab-events,billing-events}.test.ts',
  'test/http/{integrations-dashboard,ticketing-connections,ticketing,imports,scan-credentials,heartbeats,token,link}.test.ts',
];

/**
 * Files that took long when they were last measured (`npm run slow-files`), and their seconds. `npm run test:deep` runs these, and the folders
 * whose files a change of today rarely breaks.
 */
const slow: Record<string, number> = JSON.parse(readFileSync('test/slow-files.json', 'utf8'));
const ONLY_DEEP = /^test\/(deep|ci|bench)\//;

/** A property or a plan of faults runs longer in `npm run test:deep`. */
const RUNS_LONGER = /\b(?:runs|plansOf|eachWrite|oneOfEach)\(|\.each\(seeds\)/;
/** Modules that a file replaces or loads anew would reach the files after it. */
const REPLACES_MODULES = /\bvi\.(?:mock|resetModules)\(/;
/** These ask what a process remembers, or measure its memory. */
const ASK_THE_PROCESS = [
  'test/shared/platform/auth/events-kept.test.ts',
  'test/local/reference-scanner/upload.test.ts',
  'test/shared/reports/readers/large-reports.test.ts',
  'test/shared/soc/sigma/steps.test.ts',
];

/** A young generation of up to 32 MB in each half is cleaned less often. Not for files that measure their memory. */
const ROOM_FOR_THE_YOUNG = ['--max-semi-space-size=32'];

const all = globSync('test/**/*.test.ts');
const having = (pattern: RegExp) => all.filter((file) => pattern.test(readFileSync(file, 'utf8')));
const longer = having(RUNS_LONGER);
const isSlow = (file: string) => file in slow || ONLY_DEEP.test(file);
const ofStack = globSync(WITH_SETTINGS_OF_THE_STACK);
/** Without a tier: any file that a filter names. */
const inTier = all.filter((file) => {
  if (TEST_TIER === 'stack') return ofStack.includes(file);
  if (TEST_TIER === 'deep') return isSlow(file) || longer.includes(file);
  return TEST_TIER === undefined || !isSlow(file);
});
/** A quick file tries more in `npm run test:deep`: it is taken for as slow as this. */
const SECONDS_OF_OTHERS = 10;
const ofTier = TEST_SHARE
  ? filesOfShare(inTier, Number(TEST_SHARE), (file) => slow[file] ?? SECONDS_OF_OTHERS)
  : inTier;
/** `npm run mutate` records which functions each test file runs. */
const isRecorded = process.env.NODE_V8_COVERAGE !== undefined;
const recording = isRecorded ? ['test/support/write-coverage.ts'] : [];
const replaces = new Set([...ASK_THE_PROCESS, ...having(REPLACES_MODULES)]);
const together = ofTier.filter(
  (file) => !isRecorded && /^test\/(shared|functions|http|infra|local)\//.test(file) && !replaces.has(file),
);
const alone = ofTier.filter((file) => !together.includes(file));

export default defineConfig({
  test: {
    globalSetup: FUZZ_FILE ? [] : ['test/support/shared-system.ts'],
    pool: 'forks',
    // A test file waits for the engine, the queues and the views for half of its time.
    maxWorkers: 2 + Math.min(6, availableParallelism()),
    // Limits end what hangs and judge no speed: they are twice what the slowest test takes on two busy cores.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 120_000, interval: 200 } },
    // A test that fails shows what was logged meanwhile. Errors that are part of a test that passes are not shown.
    silent: 'passed-only',
    env: { POWERTOOLS_DEV: 'true' },
    projects: FUZZ_FILE
      ? [project('fuzz', true, [FUZZ_FILE])]
      : [project('together', false, together), project('alone', true, alone)],
  },
});

/** Files that share a process load its modules once. A process of its own is for those that change it, or what it measures. */
function project(name: string, isolate: boolean, include: string[]) {
  return {
    extends: true as const,
    test: {
      name,
      isolate,
      include,
      exclude: configDefaults.exclude,
      ...(!isolate && { execArgv: ROOM_FOR_THE_YOUNG }),
      setupFiles: [...(isolate ? [] : ['test/support/between-files.ts']), ...recording],
    },
  };
}
