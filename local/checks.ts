import { conclude, runPart, runTests } from './test-run.ts';

/** `npm test`: type check, lint, then the tests of each change. The last line counts the tests; the exit code is 1 after a failure. */
const types = ['--noEmit', '--incremental', '--tsBuildInfoFile', 'node_modules/.cache/types.tsbuildinfo'];
conclude(
  ['change'],
  [
    runPart('type check', 'tsc', types),
    runPart('lint', 'biome', ['check', '--error-on-warnings', '.']),
    runTests('change', process.argv.slice(2)),
  ],
);
