import { conclude, runTests } from './test-run.ts';

/** `npm run test:deep`: what `npm test` leaves out or runs shorter, then some files with the settings of the stack. It ends as `npm test` does. */
const filters = process.argv.slice(2);
conclude(['deep', 'stack'], [runTests('deep', filters), runTests('stack', filters)]);
