import { availableParallelism } from 'node:os';
import { configDefaults, defineConfig } from 'vitest/config';

/** `npm run fuzz` runs one file, which has a system of its own. */
const { FUZZ_FILE } = process.env;

/** `npm run test:deep` runs what takes too long for each change, in a system with the settings of the stack. */
const isDeep = process.env.TEST_TIER === 'deep';
const DEEP = 'test/deep/**/*.test.ts';

/** They run once more there, because these settings decide what they do. */
const WITH_SETTINGS_OF_THE_STACK = [
  ...[
    'code-hosts',
    'code-host-lists',
    'code-scans',
    'installations',
    'webhooks',
    'gitlab-events',
    'billing-events',
    'integrations-dashboard',
  ],
  ...['ticketing-connections', 'ticketing', 'imports', 'scan-credentials', 'heartbeats', 'token', 'link'],
].map((name) => `test/http/${name}.test.ts`);

const files = isDeep ? [DEEP, ...WITH_SETTINGS_OF_THE_STACK] : ['test/**/*.test.ts'];

export default defineConfig({
  test: {
    include: FUZZ_FILE ? [FUZZ_FILE] : files,
    exclude: isDeep ? configDefaults.exclude : [...configDefaults.exclude, DEEP],
    globalSetup: FUZZ_FILE ? [] : ['test/support/shared-system.ts'],
    // `npm run mutate` records which functions a test file runs
    setupFiles: process.env.NODE_V8_COVERAGE ? ['test/support/write-coverage.ts'] : [],
    pool: 'forks',
    // A test file waits for the engine and the queues for a third of its time. More of them at once slow the longest tests down.
    maxWorkers: 1 + Math.min(7, availableParallelism()),
    // Limits end what hangs and judge no speed: they are twice what the slowest test takes on two busy cores.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 120_000 } },
    // A test that fails shows what was logged meanwhile. Errors that are part of a test that passes are not shown.
    silent: 'passed-only',
    env: { POWERTOOLS_DEV: 'true' },
  },
});
