import { parseArgs } from 'node:util';
import { runVitest } from './vitest.ts';

/**
 * `npm run fuzz -- [--requests 100000] [--seed 17] [--reports FOLDER]`: fuzzed requests to every operation of the document, and
 * imports of mutated reports, against a system of its own. The seed is printed; with it the same requests are made again.
 * `npm run fuzz -- --hostile [--inputs 100000] [--requests 2000] [--seed 17]`: inputs that are made to hurt, under 512 MB.
 */
const { values } = parseArgs({
  options: {
    requests: { type: 'string' },
    hostile: { type: 'boolean', default: false },
    inputs: { type: 'string', default: '100000' },
    seed: { type: 'string' },
    reports: { type: 'string' },
    only: { type: 'string' },
  },
});
const status = runVitest(['--silent=false', '--disable-console-intercept'], {
  FUZZ_FILE: values.hostile ? 'test/fuzz/hostile.ts' : 'test/fuzz/fuzz.ts',
  FUZZ_REQUESTS: values.requests ?? (values.hostile ? '2000' : '100000'),
  FUZZ_INPUTS: values.inputs,
  ...(values.seed && { FUZZ_SEED: values.seed }),
  ...(values.reports && { FUZZ_REPORTS: values.reports }),
  ...(values.only && { FUZZ_ONLY: values.only }),
});
process.exit(status);
