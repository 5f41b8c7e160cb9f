import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { curlOf, exposureOf } from '../../console/records/commands.ts';
import { runs } from '../support/tier.ts';

/** The words that a shell gives to a program. */
const wordsOf = (command: string): string[] =>
  execFileSync('sh', ['-c', `printf '%s\\0' ${command}`], { env: { API_KEY: 'k' } })
    .toString()
    .split('\0')
    .slice(0, -1);

test('the copied commands ask for what the page shows, whatever the filter is', () => {
  const value = fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 30 });
  fc.assert(
    fc.property(value, (filter) => {
      const search = new URLSearchParams({ filter, sort: 'priority' }).toString();
      const [, , ...curl] = wordsOf(curlOf('https://one.example', '/api/v1/findings', search));
      expect(curl).toEqual([`https://one.example/api/v1/findings?${search}`, '-H', 'Authorization: Bearer k']);
      const [, ...exposure] = wordsOf(exposureOf('/api/v1/findings', search));
      expect(exposure).toEqual(['api', 'GET', 'findings', '-f', `filter=${filter}`, '-f', 'sort=priority']);
    }),
    { numRuns: runs(20, 200) },
  );
});
