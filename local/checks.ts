import { conclude, runPart, runTests } from './test-run.ts';

/** `npm test`: type check, lint, then the tests of each change. The last line counts the tests; the exit code is 1 after a failure. */
const types = (name: string) => [
  '--noEmit',
  // Several checkers check the shared types once each: on two cores one takes half of their processor time.
  '--checkers',
  '1',
  '--incremental',
  '--tsBuildInfoFile',
  `node_modules/.cache/${name}.tsbuildinfo`,
];
conclude(
  ['change'],
  [
    runPart('types of the API', 'node', ['infra/write-client-types.ts']),
    runPart('type check', 'tsc', types('types')),
    runPart('type check of the console', 'tsc', ['-p', 'console', ...types('console')]),
    runPart('type check of the command line', 'tsc', ['-p', 'cli', ...types('cli')]),
    runPart('the command line', 'node', ['infra/build-cli.ts']),
    runPart('lint', 'biome', ['check', '--error-on-warnings', '.']),
    runTests('change', process.argv.slice(2)),
  ],
);
