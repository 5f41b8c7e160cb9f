import { expect, test } from 'vitest';
import { countLines, linesOf as linesWithin, MAX_LINES, newFieldBudget } from '#shared/soc/siem/lines.ts';
import { inOneTurn } from '../../../support/all-turns.ts';

const linesOf = (text: string) => [...linesWithin(text, newFieldBudget())].filter((line) => line !== undefined);
const counted = (bytes: Buffer) => inOneTurn(countLines(bytes));
const raws = (text: string) => linesOf(text).map(({ raw }) => raw);

test.each<[string, string, string[]]>([
  ['lines', 'a\n\n b \r\nc', ['a', ' b', 'c']],
  ['a list', ' [{"a":1},\n{"b":[2]}]\n', ['{"a":1}', '{"b":[2]}']],
  ['records of CloudTrail', '{"Records":[{"a":1}],"more":1}', ['{"a":1}']],
  [
    'lines that each have records',
    '{"Records":[{"a":1}]}\n{"Records":[]}',
    ['{"Records":[{"a":1}]}', '{"Records":[]}'],
  ],
  ['a list of something else', '[1,2]\nx', ['[1,2]', 'x']],
  ['a list that breaks off', '[{"a":1},', ['[{"a":1},']],
  ['an empty list', '[]', []],
])('a batch of %s has these events', (_, text, expected) => {
  expect(raws(text)).toEqual(expected);
});

test('an object that is too large or too deep to be parsed is kept as text', () => {
  const deep = `{"a":${'['.repeat(200)}${']'.repeat(200)}}`;
  const large = `{"a":"${'x'.repeat(300_000)}"}`;
  for (const line of [deep, large]) {
    expect(linesOf(`${line}\n{"b":1}`)).toEqual([
      { raw: line, value: undefined },
      { raw: '{"b":1}', value: { b: 1 } },
    ]);
  }
  expect(linesOf(`[${large},{"b":1}]`)).toEqual([
    { raw: large, value: undefined },
    { raw: '{"b":1}', value: { b: 1 } },
  ]);
});

test('as many lines as are taken are counted, with and without the newline of the last', () => {
  const lines = 'x\n'.repeat(MAX_LINES);
  expect([lines, lines.slice(0, -1)].map((text) => counted(Buffer.from(text)))).toEqual([MAX_LINES, MAX_LINES]);
});

test.each<[string, Buffer]>([
  ['lines of two bytes', Buffer.from('x\n'.repeat(16_000_000))],
  ['blank lines', Buffer.alloc(32_000_000, '\n')],
  ['entries of a list', Buffer.from(`[${'{},'.repeat(MAX_LINES)}{}]`)],
  ['records', Buffer.from(`{"Records":[${'{},'.repeat(MAX_LINES)}{}]}`)],
])('counting stops behind the most %s that are taken', (_, bytes) => {
  expect(counted(bytes)).toBe(MAX_LINES + 1);
});

test('others have a turn after each entry of a list, while the list is counted and checked', () => {
  const list = `[${'{"a":1},'.repeat(999)}{}]`;
  expect([...countLines(Buffer.from(list))]).toHaveLength(1000);
  const [first, ...rest] = linesWithin(list, newFieldBudget());
  expect(first).toBeUndefined();
  expect(rest.filter((line) => line === undefined)).toHaveLength(999);
});
