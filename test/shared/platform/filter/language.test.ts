import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findingFilterFields } from '#shared/findings/finding/finding-filter-fields.ts';
import type { Filter } from '#shared/platform/filter/filter.ts';
import { compileStored, readFilter } from '#shared/platform/filter/language.ts';
import { parseFilter } from '#shared/platform/filter/parse.ts';
import { printFilter } from '#shared/platform/filter/print.ts';

const ASKING = { callerId: 'me-1', today: '2026-11-28' };
const read = (given: string | Filter) => readFilter(given, findingFilterFields, ASKING);
const problemOf = (given: string | Filter) => {
  const result = read(given);
  return 'problem' in result ? result.problem : expect.fail('is a filter');
};
const matchingOf = (given: string | Filter) => {
  const result = read(given);
  return 'within' in result ? result.within : expect.fail(result.problem);
};

describe('a text becomes the filter that people mean', () => {
  test.each<[string, Filter]>([
    ['severity:critical,high', { field: 'severity', operator: 'in', value: ['critical', 'high'] }],
    ['-tool:trivy', { not: { field: 'tool', operator: 'equals', value: 'trivy' } }],
    ['NOT tool:trivy', { not: { field: 'tool', operator: 'equals', value: 'trivy' } }],
    [
      'not found',
      {
        all: [
          { field: 'text', operator: 'matches', value: 'not' },
          { field: 'text', operator: 'matches', value: 'found' },
        ],
      },
    ],
    ['due<7d', { field: 'due', operator: 'under', value: '7d' }],
    ['due<2026-12-01', { field: 'due', operator: 'before', value: '2026-12-01' }],
    ['due>=2026-12-01', { field: 'due', operator: 'within', value: '2026-12-01..' }],
    ['epss>0.1', { field: 'epss', operator: 'over', value: '0.1' }],
    ['epss:0.1..0.5', { field: 'epss', operator: 'within', value: '0.1..0.5' }],
    ['firstSeen:2026-11', { field: 'firstSeen', operator: 'within', value: '2026-11' }],
    ['FIRSTSEEN:7d', { field: 'firstSeen', operator: 'within', value: '7d' }],
    ['branch:*', { field: 'branch', operator: 'exists' }],
    ['log4j', { field: 'text', operator: 'matches', value: 'log4j' }],
    ['"remote code"', { field: 'text', operator: 'equals', value: 'remote code' }],
    ['tag:"a, \\"b\\"",c', { field: 'tag', operator: 'in', value: ['a, "b"', 'c'] }],
    [
      'kev:true (severity:low OR tag:prod) OR cve:CVE-2021-44228',
      {
        any: [
          {
            all: [
              { field: 'kev', operator: 'equals', value: 'true' },
              {
                any: [
                  { field: 'severity', operator: 'equals', value: 'low' },
                  { field: 'tag', operator: 'equals', value: 'prod' },
                ],
              },
            ],
          },
          { field: 'cve', operator: 'equals', value: 'CVE-2021-44228' },
        ],
      },
    ],
  ])('%s', (text, filter) => {
    expect(parseFilter(text, findingFilterFields).filter).toEqual(filter);
  });
});

describe('a text that is no filter is refused with the column and what to write', () => {
  test.each([
    ['sevrity:high', /^column 1: sevrity is no field: did you mean severity\?$/],
    ['http://x', /^column 1: http is no field: use status, .*; put words with a colon in quotation marks$/],
    ['kev:true severity:hihg', /^column 10: severity: hihg is no value: did you mean high\?/],
    ['kev:true severity:', /^column 19: a value is missing/],
    ['(kev:true', /^column 10: the parenthesis of column 1 is not closed/],
    ['kev:true)', /^column 9: this parenthesis was not opened/],
    ['"remote code', /^column 1: the quotation mark is not closed/],
    ['kev:true OR', /^column 12: a comparison or a word is missing/],
    ['kev:true -', /^column 11: a comparison or a word is missing/],
    ['sev:high', /^column 1: sev is no field: did you mean severity\?/],
    ['has:cve', /^column 1: has is no field: use /],
    ['due<soon', /^column 1: due: must be a day such as/],
    ['due<=7d', /^column 1: an age is compared with < or >: due<7d/],
    ['tool<trivy', /^column 1: tool is compared with a colon: tool:trivy/],
    ['tool:tri*', /^column 1: tool: no index answers tri\* with a wildcard/],
    ['kev:maybe', /^column 1: kev: must be true or false/],
    ['epss>2', /^column 1: epss: must be a number from 0 to 1 in steps of 0.01/],
    ['updated:2020', /^column 1: updated: lists find the last 35 days/],
    ['cve:*', /^column 1: cve: no index has the records without a value/],
    ['firstSeen:2026-02-30', /^column 1: firstSeen: must be a day \(2026-01-31\)/],
    ['the', /^column 1: text: must have a word/],
    ['kev:true or tag:prod', /^column 10: or is a word here: write OR, or "or" for the word$/],
    ['kev:true and log4j', /^column 10: and is a word here: write AND/],
    ['not kev:true', /^column 1: not is a word here: write NOT/],
    ['log4j Not (kev:true)', /^column 7: Not is a word here: write NOT/],
    ['-'.repeat(30), /^column 21: more than 20 groups and negations/],
    ['('.repeat(30_000), /^column 21: more than 20 groups/],
  ])('%s', (text, problem) => {
    expect(problemOf(text)).toMatch(problem);
  });

  test('as JSON, too many comparisons, values and levels', () => {
    const leaf: Filter = { field: 'tag', operator: 'equals', value: 'a' };
    expect(problemOf({ all: Array.from({ length: 51 }, () => leaf) })).toMatch(/more than 50 comparisons/);
    const many = Array.from({ length: 100 }, (_, n) => `t${n}`);
    expect(problemOf({ any: [1, 2, 3].map(() => ({ field: 'tag', operator: 'in', value: many })) })).toMatch(
      /200 values/,
    );
    expect(problemOf({ not: { not: { not: { not: { not: leaf } } } } })).toMatch(/5 levels/);
    expect(problemOf({ field: 'sla', operator: 'exists' })).toMatch(/^sla is no field/);
    expect(problemOf({ field: 'tool', operator: 'before', value: '2026' })).toMatch(
      /is not compared by before: use equals/,
    );
  });
});

describe('days and ages, on 28 November 2026', () => {
  test.each([
    ['due<7d', { to: '2026-12-04' }],
    ['due<0d', { to: '2026-11-27' }],
    ['due>7d', { from: '2026-12-06' }],
    ['due:7d', { from: '2026-11-28', to: '2026-12-05' }],
    ['firstSeen<7d', { from: '2026-11-22' }],
    ['firstSeen>2w', { to: '2026-11-13' }],
    ['firstSeen:7d', { from: '2026-11-21', to: '2026-11-28' }],
    ['firstSeen:1m', { from: '2026-10-28', to: '2026-11-28' }],
    ['firstSeen:2026-02', { from: '2026-02-01', to: '2026-02-28' }],
    ['firstSeen:2024', { from: '2024-01-01', to: '2024-12-31' }],
    ['firstSeen:2026-01-05..2026-02', { from: '2026-01-05', to: '2026-02-28' }],
    ['firstSeen>2026-02', { from: '2026-03-01' }],
    ['firstSeen<2026-02', { to: '2026-01-31' }],
    ['due:*', {}],
  ])('%s', (text, ends) => {
    const { order: _order, ...found } = matchingOf(text) as { order: string };
    expect(found).toEqual(ends);
  });

  test('numbers are places that begin with the most', () => {
    expect(matchingOf('priority>69')).toEqual({ order: 'priority', from: '000', to: '030' });
    expect(matchingOf('epss:0.25')).toEqual({ any: [{ order: 'epss', from: '075', to: '075' }] });
    expect(matchingOf('priority>100')).toEqual({ any: [] });
  });
});

test('values are compared as people type them', () => {
  expect(matchingOf('tool:Trivy cve:cve-2021-44228 severity:HIGH assignee:me,none')).toEqual({
    all: [
      { name: 'tool', values: ['trivy'] },
      { name: 'cve', values: ['CVE-2021-44228'] },
      { name: 'severity', values: ['high'] },
      { name: 'assigneeId', values: ['me-1', null] },
    ],
  });
});

const value = fc.oneof(
  fc.string({ minLength: 1, maxLength: 12 }),
  fc.string({
    unit: fc.constantFrom('a', 'OR', 'and', 'not', '"', '\\', ' ', ',', '(', ')', '*', '..', ':', '-', '~'),
    minLength: 1,
    maxLength: 5,
  }),
);
const leaf: fc.Arbitrary<Filter> = fc.oneof(
  fc.record({ field: fc.constantFrom('tool', 'tag', 'text'), operator: fc.constant('equals' as const), value }),
  fc.record({
    field: fc.constant('tag'),
    operator: fc.constant('in' as const),
    value: fc.array(value, { minLength: 2, maxLength: 3 }),
  }),
  fc.record({ field: fc.constantFrom('branch', 'assignee', 'due'), operator: fc.constant('exists' as const) }),
  fc.record({ field: fc.constantFrom('tool', 'text'), operator: fc.constant('matches' as const), value }),
  fc.record({
    field: fc.constant('due'),
    operator: fc.constantFrom('before', 'after'),
    value: fc.constantFrom('2026-11', '2026'),
  }),
  fc.record({ field: fc.constant('due'), operator: fc.constantFrom('under', 'over'), value: fc.constant('7d') }),
  fc.record({ field: fc.constant('epss'), operator: fc.constantFrom('under', 'over'), value: fc.constant('0.1') }),
  fc.record({
    field: fc.constantFrom('due', 'epss'),
    operator: fc.constant('within' as const),
    value: fc.constantFrom('1..2', '..5', '3..'),
  }),
) as fc.Arbitrary<Filter>;
const { filter: anyFilter } = fc.letrec<{ filter: Filter }>((tie) => ({
  filter: fc.oneof(
    { maxDepth: 3 },
    leaf,
    fc.record({ all: fc.array(tie('filter'), { minLength: 2, maxLength: 3 }) }),
    fc.record({ any: fc.array(tie('filter'), { minLength: 2, maxLength: 3 }) }),
    fc.record({ not: tie('filter') }),
  ),
}));

test('text and JSON convert both ways without loss', () => {
  fc.assert(
    fc.property(anyFilter, (filter) => {
      expect(parseFilter(printFilter(filter, findingFilterFields), findingFilterFields).filter).toEqual(filter);
    }),
    { numRuns: 2_000 },
  );
});

test('any text is read or refused with a column, in time that does not run away', () => {
  const piece = fc.constantFrom(
    'severity',
    ':',
    '(',
    ')',
    '"',
    '-',
    'OR',
    'AND',
    ' ',
    ',',
    '<',
    '*',
    'x',
    '..',
    '\\',
    '7d',
    '😀',
  );
  fc.assert(
    fc.property(
      fc.array(piece, { maxLength: 200 }).map((parts) => parts.join('')),
      (text) => {
        const result = read(text);
        if ('problem' in result) expect(result.problem).toMatch(/column \d+|is more than|is nested/);
        else expect(result.within).toBeDefined();
      },
    ),
    { numRuns: 2_000 },
  );
});

test('a comparison of a stored rule that this release refuses selects nothing, also where it is negated', () => {
  const gone: Filter = { field: 'gone', operator: 'equals', value: 'x' };
  const high: Filter = { field: 'severity', operator: 'equals', value: 'high' };
  const record = { facts: {}, marks: () => ['severity=high'] };
  const asking = { today: ASKING.today, rule: { stored: true } };
  const fits = (filter: Filter) => compileStored([filter], findingFilterFields, asking).test(record);
  expect([fits(high), fits(gone), fits({ not: gone }), fits({ not: { any: [gone, high] } })]).toEqual([
    true,
    false,
    false,
    false,
  ]);
  expect([fits({ any: [gone, high] }), fits({ all: [high, { not: gone }] })]).toEqual([true, false]);
});
