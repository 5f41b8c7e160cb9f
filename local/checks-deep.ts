import { parseArgs } from 'node:util';
import { Mistake } from './mistake.ts';
import { conclude, runTests } from './test-run.ts';
import { SHARES, shareOfDay } from './test-shares.ts';

/**
 * `npm run test:deep`: the tests that `npm test` leaves out or shortens, then some files with the settings of the
 * stack. Runs the share of the day, `--share 3` runs another one, `--all` or a filter looks at all. Ends as `npm test` does.
 */
const { values, positionals } = parseArgs({
  options: { all: { type: 'boolean' }, share: { type: 'string' } },
  allowPositionals: true,
});
const share = values.share === undefined ? shareOfDay(new Date()) : Number(values.share);
if (!(Number.isInteger(share) && share >= 1 && share <= SHARES))
  throw new Mistake(`--share is a number from 1 to ${SHARES}`);
const isWhole = values.share === undefined && (values.all || positionals.length > 0);
console.log(
  isWhole ? `all ${SHARES} shares` : `share ${share} of ${SHARES}; --share ${share} repeats it, --all runs every file`,
);
const chosen = isWhole ? {} : { TEST_SHARE: String(share) };
conclude(['deep', 'stack'], [runTests('deep', positionals, chosen), runTests('stack', positionals, chosen)]);
