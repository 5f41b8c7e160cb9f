import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/shared-system.ts'],
    pool: 'forks',
    maxWorkers: 2,
    // Limits end what hangs and judge no speed: they are five times what the slowest test takes on two idle cores.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 120_000 } },
    // A test that fails shows what was logged meanwhile. Errors that are part of a test that passes are not shown.
    silent: 'passed-only',
    env: { POWERTOOLS_DEV: 'true' },
  },
});
