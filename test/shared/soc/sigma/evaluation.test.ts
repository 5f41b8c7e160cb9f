import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compileRule } from '#shared/soc/sigma/compile.ts';
import { eventTexts } from '#shared/soc/sigma/event.ts';
import { readSigma } from '#shared/soc/sigma/read.ts';
import { regexMaker } from '#shared/soc/sigma/regex.ts';
import { eventOf } from '../../../support/detection/events.ts';

const makeRegex = await regexMaker();

async function fits(detection: object, fields: Record<string, string | number | string[]>): Promise<boolean> {
  const text = await readSigma(JSON.stringify({ title: 'x', logsource: { product: 'linux' }, detection }));
  const [rule] = text.rules;
  return rule ? compileRule(rule, makeRegex)(eventTexts(eventOf({ fields })), { left: Infinity, at: '' }) : false;
}

/** The meaning of a line, written down once more without any haste. */
type Line = { field: string; modifiers: readonly string[]; values: readonly (string | number | null)[] };
type Fields = Record<string, string | number | string[]>;

function naiveLine({ field, modifiers, values }: Line, fields: Fields): boolean {
  const value = fields[field];
  const texts = value === undefined ? [] : [value].flat().map(String);
  const one = (wanted: string | number | null): boolean => {
    if (wanted === null) return value === undefined;
    if (modifiers.includes('gt')) return texts.some((text) => text.trim() !== '' && Number(text) > Number(wanted));
    const expression = new RegExp(
      `^${framed(naivePattern(String(wanted)), modifiers)}$`,
      modifiers.includes('cased') ? 's' : 'is',
    );
    return texts.some((text) => expression.test(text));
  };
  if (modifiers.includes('neq')) return !values.some(one);
  return modifiers.includes('all') ? values.every(one) : values.some(one);
}

function framed(pattern: string, modifiers: readonly string[]): string {
  const before = modifiers.includes('contains') || modifiers.includes('endswith') ? '.*' : '';
  return before + pattern + (modifiers.includes('contains') || modifiers.includes('startswith') ? '.*' : '');
}

function naivePattern(value: string): string {
  const pieces = value.match(/\\[\\*?]|[\s\S]/g) ?? [];
  const plain = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
  return pieces
    .map((one) => (one === '*' ? '.*' : one === '?' ? '.' : plain(one.length === 2 ? one.slice(1) : one)))
    .join('');
}

const letters = fc.string({ unit: fc.constantFrom('a', 'B', 'b', '\\', '*', '?', '.', '1'), maxLength: 6 });
const field = fc.constantFrom('One', 'Two');
const fields = fc.dictionary(field, fc.oneof(letters, fc.nat(12), fc.array(letters, { maxLength: 3 })), { maxKeys: 2 });
const texts = fc.array(fc.oneof(letters, fc.nat(12)), { minLength: 2, maxLength: 4 });
const line = fc.oneof(
  fc.record({
    field,
    modifiers: fc
      .subarray(['cased', 'all'])
      .chain((some) =>
        fc.constantFrom([], ['contains'], ['startswith'], ['endswith']).map((place) => [...place, ...some]),
      ),
    values: texts,
  }),
  fc.record({
    field,
    modifiers: fc.constantFrom(['neq'], []),
    values: fc.array(fc.oneof(letters, fc.constant(null)), { minLength: 1, maxLength: 3 }),
  }),
  fc.record({ field, modifiers: fc.constant(['gt']), values: fc.array(fc.nat(12), { minLength: 1, maxLength: 2 }) }),
);
const search = fc.array(fc.array(line, { minLength: 1, maxLength: 2 }), { minLength: 1, maxLength: 2 });

type Node = { text: string; holds: (searches: readonly boolean[]) => boolean };
const { condition } = fc.letrec<{ condition: Node; leaf: Node }>((tie) => ({
  leaf: fc.oneof(
    fc.nat(2).map((n) => ({ text: `s${n}`, holds: (all: readonly boolean[]) => all[n] === true })),
    fc.constant({ text: '1 of them', holds: (all: readonly boolean[]) => all.some(Boolean) }),
    fc.constant({ text: 'all of s*', holds: (all: readonly boolean[]) => all.every(Boolean) }),
  ),
  condition: fc.oneof(
    { depthSize: 'small' },
    tie('leaf'),
    tie('condition').map(({ text, holds }) => ({
      text: `not (${text})`,
      holds: (all: readonly boolean[]) => !holds(all),
    })),
    fc.tuple(tie('condition'), tie('condition')).map(([a, b]) => ({
      text: `(${a.text}) and (${b.text})`,
      holds: (all: readonly boolean[]) => a.holds(all) && b.holds(all),
    })),
    fc.tuple(tie('condition'), tie('condition')).map(([a, b]) => ({
      text: `(${a.text}) or (${b.text})`,
      holds: (all: readonly boolean[]) => a.holds(all) || b.holds(all),
    })),
  ),
}));

const written = (lines: readonly Line[]) =>
  Object.fromEntries(lines.map(({ field: name, modifiers, values }) => [[name, ...modifiers].join('|'), values]));
/** Lines with the same key would be one in a map: the last one. */
const kept = (lines: readonly Line[]): Line[] => [
  ...new Map(lines.map((one) => [Object.keys(written([one]))[0], one])).values(),
];

test('a compiled rule says of every event what its text means', async () => {
  await fc.assert(
    fc.asyncProperty(fc.tuple(search, search, search), condition, fields, async (searches, { text, holds }, given) => {
      const named = Object.fromEntries(searches.map((maps, n) => [`s${n}`, maps.map((lines) => written(kept(lines)))]));
      const meant = searches.map((maps) => maps.some((lines) => kept(lines).every((one) => naiveLine(one, given))));
      expect(await fits({ ...named, condition: text }, given)).toBe(holds(meant));
    }),
    { numRuns: 400 },
  );
});

test.each([
  ['00000429', '00000429', true],
  ['00000429', '429', false],
  ['1.10', '1.10', true],
  ['0x17', '23', false],
  ['9232379236109516800', '9232379236109516800', true],
  ['429', '429', true],
])('a number that a rule writes as %s means the text of an event: %s, %s', async (written, value, wanted) => {
  const content = `title: x\nlogsource: {product: linux}\ndetection:\n  s: {A: ${written}}\n  condition: s\n`;
  const [rule] = (await readSigma(content)).rules;
  const event = eventTexts(eventOf({ fields: { A: value } }));
  expect(rule && compileRule(rule, makeRegex)(event, { left: Infinity, at: '' })).toBe(wanted);
});

describe('modifiers mean what the specification says', () => {
  const encoded = Buffer.from('xyIEX (New-Object)', 'utf16le').toString('base64');
  const cases: [line: object, fields: Record<string, string | number | string[]>, fits: boolean][] = [
    [{ 'A|cidr': '10.0.0.0/8' }, { A: '10.1.2.3' }, true],
    [{ 'A|cidr': '10.0.0.0/8' }, { A: '11.1.2.3' }, false],
    [{ 'A|cidr': '2001:db8::/32' }, { A: '2001:db8::7' }, true],
    [{ 'A|cidr': ['10.0.0.0/8', '192.168.0.0/16'] }, { A: 'host' }, false],
    [{ 'A|re': '^a+b$' }, { A: 'aab' }, true],
    [{ 'A|re': '^a+b$' }, { A: 'AAB' }, false],
    [{ 'A|re|i': '^a+b$' }, { A: 'AAB' }, true],
    [{ 'A|re|m': '^b$' }, { A: 'a\nb' }, true],
    [{ 'A|re': 'a.b' }, { A: 'a\nb' }, false],
    [{ 'A|re|s': 'a.b' }, { A: 'a\nb' }, true],
    [{ 'A|exists': true }, { A: '' }, true],
    [{ 'A|exists': false }, { B: 'x' }, true],
    [{ 'A|gte': 10 }, { A: '10' }, true],
    [{ 'A|lt': 10 }, { A: 'x' }, false],
    [{ 'A|fieldref': 'B' }, { A: 'Eve', B: 'eve' }, true],
    [{ 'A|fieldref|neq': 'B' }, { A: 'eve', B: 'eve' }, false],
    [{ 'A|fieldref|endswith': 'B' }, { A: 'host.example', B: 'example' }, true],
    [{ 'A|windash|contains': ' -all' }, { A: 'vssadmin /ALL' }, true],
    [{ 'A|windash|contains': ' -all' }, { A: 'vssadmin =all' }, false],
    [{ 'A|contains|windash': ' -all' }, { A: 'vssadmin /ALL' }, true],
    [{ 'A|contains|windash|all': [' -all', ' -quiet'] }, { A: 'vssadmin /ALL –quiet' }, true],
    [{ 'A|contains|windash|all': [' -all', ' -quiet'] }, { A: 'vssadmin /ALL' }, false],
    [{ 'A|base64': 'ann' }, { A: 'YW5u' }, true],
    [{ 'A|wide|base64offset|contains': 'New-Object' }, { A: `powershell -e ${encoded}` }, true],
    [{ 'A|wide|base64offset|contains': 'Old-Object' }, { A: `powershell -e ${encoded}` }, false],
    [{ 'A|contains|all': ['b', 'c'] }, { A: 'abc' }, true],
    [{ 'A|contains|all': ['b', 'd'] }, { A: 'abc' }, false],
    [{ A: 'C:\\Windows\\\\*\\x?.exe' }, { A: 'c:\\windows\\temp\\X1.exe' }, true],
    [{ A: 'C:\\Windows\\*\\x?.exe' }, { A: 'c:\\windows\\temp\\X1.exe' }, false],
    [{ A: 'a\\*b' }, { A: 'axb' }, false],
    [{ '|all': ['one', 'tw?'] }, { A: 'the ONE', B: 'two' }, true],
  ];
  test.each(cases)('%j on %j: %s', async (selection, given, wanted) => {
    expect(await fits({ selection, condition: 'selection' }, given)).toBe(wanted);
  });

  test.each([0, 1, 2])('a text within Base64 is found behind %i other bytes', async (before) => {
    const A = Buffer.from(`${'x'.repeat(before)}secret text and more`).toString('base64');
    expect(await fits({ s: { 'A|base64offset|contains': 'secret text' }, condition: 's' }, { A })).toBe(true);
  });
});

describe('a rule that would mean something else is refused with the place', () => {
  const LINE = 'detection.s';
  const refusals: [name: string, rule: object, path: string][] = [
    ['a modifier of another tool', { detection: { s: { 'A|near': 'x' }, condition: 's' } }, `${LINE}.A|near`],
    ['two comparisons', { detection: { s: { 'A|re|cidr': 'x' }, condition: 's' } }, `${LINE}.A|re|cidr`],
    ['all with one value', { detection: { s: { 'A|all': 'x' }, condition: 's' } }, `${LINE}.A|all`],
    ['a flag without re', { detection: { s: { 'A|i': 'x' }, condition: 's' } }, `${LINE}.A|i`],
    ['UTF-16 without Base64', { detection: { s: { 'A|wide': 'x' }, condition: 's' } }, `${LINE}.A|wide`],
    ['a wildcard in Base64', { detection: { s: { 'A|base64': 'x*' }, condition: 's' } }, `${LINE}.A|base64`],
    ['a wrong network', { detection: { s: { 'A|cidr': '10.0.0.0/40' }, condition: 's' } }, `${LINE}.A|cidr`],
    ['look-around', { detection: { s: { 'A|re': '(?=x)' }, condition: 's' } }, `${LINE}.A|re`],
    ['a search that is not there', { detection: { s: { A: 'x' }, condition: 't' } }, 'detection.condition'],
    ['a bracket left open', { detection: { s: { A: 'x' }, condition: '(s' } }, 'detection.condition'],
    ['two of them', { detection: { s: { A: 'x' }, condition: '2 of them' } }, 'detection.condition'],
    ['a span of Sigma 1', { detection: { s: { A: 'x' }, timeframe: '5m', condition: 's' } }, 'detection.timeframe'],
    ['another taxonomy', { taxonomy: 'ecs' }, 'taxonomy'],
    ['no log source', { logsource: {} }, 'logsource'],
    ['a level that is none', { level: 'severe' }, 'level'],
    ['an object as a value', { detection: { s: { A: { b: 1 } }, condition: 's' } }, `${LINE}.A`],
  ];
  const RULE = {
    title: 'x',
    name: 'one',
    logsource: { product: 'linux' },
    detection: { s: { A: 'x' }, condition: 's' },
  };
  test.each(refusals)('%s', async (_name, change, path) => {
    await expect(readSigma(JSON.stringify({ ...RULE, ...change }))).rejects.toMatchObject({ path });
  });

  const terms = { fields: ['user'], history_window: '14d' };
  test.each([
    [{ ...terms, fields: [] }, 'new_terms.fields'],
    [{ ...terms, fields: ['a', 'b', 'c', 'd'] }, 'new_terms.fields'],
    [{ ...terms, history_window: '91d' }, 'new_terms.history_window'],
    [{ ...terms, history_window: 14 }, 'new_terms.history_window'],
    [{ ...terms, field: 'user' }, 'new_terms.field'],
  ])('new terms with %j', async (change, path) => {
    await expect(readSigma(JSON.stringify({ ...RULE, new_terms: change }))).rejects.toMatchObject({ path });
    const day = 86_400;
    const read = await readSigma(JSON.stringify({ ...RULE, new_terms: terms }));
    expect(read.newTerms).toEqual({ fields: ['user'], windowSeconds: 14 * day });
  });

  const correlation = { type: 'event_count', rules: ['one'], timespan: '5m', condition: { gte: 3 } };
  const counts: [change: object, path: string][] = [
    [{ type: 'value_mode' }, 'correlation.type'],
    [{ type: 'value_avg' }, 'correlation.condition.field'],
    [{ type: 'value_avg', condition: { field: 'A', eq: 3 } }, 'correlation.condition'],
    [{ type: 'value_avg', condition: { field: 'A', gt: 0.0005 } }, 'correlation.condition.gt'],
    [{ type: 'value_avg', condition: { field: 'A', gt: 5, percentile: 5 } }, 'correlation.condition.percentile'],
    [{ type: 'value_percentile', condition: { field: 'A', lte: 1 } }, 'correlation.condition.percentile'],
    [
      { type: 'value_percentile', condition: { field: 'A', lte: 1, percentile: 100 } },
      'correlation.condition.percentile',
    ],
    [{ type: 'temporal' }, 'correlation.condition'],
    [{ type: 'temporal', condition: undefined }, 'correlation.rules'],
    [{ rules: ['two'] }, 'correlation.rules'],
    [{ rules: ['one', ...Array.from({ length: 10 }, (_, n) => `other ${n}`)] }, 'correlation.rules'],
    [{ timespan: '8d' }, 'correlation.timespan'],
    [{ timespan: '1w' }, 'correlation.timespan'],
    [{ condition: { lt: 3 } }, 'correlation.condition'],
    [{ condition: { gte: 3, lte: 9 } }, 'correlation.condition'],
    [{ condition: { gte: 2.5 } }, 'correlation.condition.gte'],
    [{ type: 'value_count' }, 'correlation.condition.field'],
    [{ type: 'value_count', condition: { field: 'A', gte: 101 } }, 'correlation.condition.gte'],
    [{ aliases: { ip: { two: 'src' } } }, 'correlation.aliases.ip.two'],
  ];
  const textOf = (change: object) =>
    [RULE, { title: 'many', correlation: { ...correlation, ...change } }]
      .map((one) => JSON.stringify(one))
      .join('\n---\n');
  test.each(counts)('a correlation with %j', async (change, path) => {
    await expect(readSigma(textOf(change))).rejects.toMatchObject({ path });
  });

  test('and the one that they were made from is not', async () => {
    expect(await readSigma(textOf({}))).toMatchObject({ correlation: { timespanSeconds: 300, atLeast: 3 } });
  });
});
