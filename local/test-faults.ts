import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Mistake } from './mistake.ts';
import { runVitest } from './vitest.ts';

/**
 * `npm run test:faults -- 200`: this many seeded plans of faults, kills and redrives for every test that has plans, or
 * only for tests whose path contains one of the given words. `--seed 17` repeats one plan; `--from 61` begins with that plan;
 * `--events 1000` sends this many events in each plan of webhooks.
 */
const { values, positionals } = parseArgs({
  options: { seed: { type: 'string' }, from: { type: 'string' }, events: { type: 'string' } },
  allowPositionals: true,
});
const words = positionals.filter((word) => !/^\d+$/.test(word));
const count = positionals.find((word) => /^\d+$/.test(word)) ?? '200';
const root = fileURLToPath(new URL('..', import.meta.url));

const hasPlans = (file: string): boolean => /\.each\((?:seeds|plansOf)\b/.test(readFileSync(join(root, file), 'utf8'));
const files = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
  .map((name) => join('test', name))
  .filter((file) => file.endsWith('.test.ts') && hasPlans(file))
  .filter((file) => words.length === 0 || words.some((word) => file.includes(word)));
if (files.length === 0) throw new Mistake(`no test with plans has one of these words in its path: ${words.join(', ')}`);

const plans = {
  ...(values.seed ? { FAULT_SEED: values.seed } : { FAULT_PLANS: count }),
  ...(values.from && { FAULT_FROM: values.from }),
  ...(values.events && { FAULT_EVENTS: values.events }),
};
process.exit(runVitest(files, plans));
