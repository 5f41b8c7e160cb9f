import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { GAP_CODES, type Gap } from '#shared/reports/report/gap.ts';
import { reasonOf, withGap } from '#shared/reports/report/gap-words.ts';

test.each<[Gap, string]>([
  [
    { code: 'not_judged', count: 3, of: 349, thing: 'control' },
    'The tool reports neither passed nor failed for 3 of 349 controls.',
  ],
  [
    { code: 'not_read', count: 1, thing: 'file', first: 'src/app.ts' },
    'The tool could not read 1 file. The first: src/app.ts.',
  ],
  [
    { code: 'not_reached', count: 2, thing: 'target', partly: true, first: '10.0.0.7.' },
    'The scan did not reach 2 targets, or did not test to the end. Their findings stay open. The first: 10.0.0.7.',
  ],
  [{ code: 'tool_error', first: 'out of memory' }, 'The tool reports an error. The tool: out of memory.'],
  [
    { code: 'more_pages', count: 100, of: 340, thing: 'issue' },
    'The report has only 100 of 340 issues: send all pages as one report.',
  ],
  [
    { code: 'entry_rejected', count: 2 },
    '2 entries cannot be used (`rejected`): each may be a finding that seems gone.',
  ],
])('%j has a sentence', (gap, message) => {
  expect(reasonOf(gap).message).toBe(message);
});

test('equal gaps are counted together', () => {
  const judged: Gap = { code: 'not_judged', count: 1, thing: 'result', first: 'a' };
  const gaps: Gap[] = [judged, { ...judged, first: 'b' }, { code: 'tool_error' }, { code: 'tool_error' }];
  expect(gaps.reduce(withGap, [] as Gap[])).toEqual([
    { ...judged, count: 2, of: undefined },
    { code: 'tool_error', count: 2, of: undefined },
  ]);
});

test('docs/closing.md names each reason', () => {
  const codes = [...readFileSync('docs/closing.md', 'utf8').matchAll(/^\| [^|]+ \| `([a-z_]+)` \|$/gm)].map(
    ([, id]) => id,
  );
  expect(codes.toSorted()).toEqual(GAP_CODES.toSorted());
});
