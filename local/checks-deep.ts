import { conclude, runTests } from './test-run.ts';

/**
 * `npm run test:deep`: the tests that `npm test` leaves out or shortens, then some files with the settings of the
 * stack. Ends as `npm test` does.
 */
const filters = process.argv.slice(2);
conclude(['deep', 'stack'], [runTests('deep', filters), runTests('stack', filters)]);
