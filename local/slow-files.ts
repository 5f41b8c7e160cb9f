import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { filesOfTier } from './test-run.ts';

/**
 * `npm run slow-files`: writes test/slow-files.json from the results of the last `npm test` and `npm run test:deep`. The listed files run in
 * `npm run test:deep` alone.
 */
const LIST = 'test/slow-files.json';

/** A file that takes so many seconds is slow. */
const SLOW_SECONDS = 5;

/** These look at each operation, each file, and ten jobs in a browser: a mistake in a change is often found by them first. */
const OF_EACH_CHANGE = /^test\/(architecture\/|http\/(every-route|access-matrix)\.|console\/ten-jobs\.)/;

const known: Record<string, number> = JSON.parse(readFileSync(LIST, 'utf8'));
const measured = [...filesOfTier('deep').filter(({ name }) => name in known), ...filesOfTier('change')];
for (const { name, seconds } of measured) known[name] = Math.round(seconds);
const slow = Object.entries(known)
  .filter(([name, seconds]) => seconds >= SLOW_SECONDS && !OF_EACH_CHANGE.test(name) && existsSync(name))
  .toSorted(([a], [b]) => (a < b ? -1 : 1));
writeFileSync(LIST, `${JSON.stringify(Object.fromEntries(slow), undefined, 2)}\n`);
console.log(`${slow.length} slow files, ${slow.reduce((total, [, seconds]) => total + seconds, 0)} s`);
