import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { isSlowAutomaton, slowText } from '../support/pattern-judges.ts';
import { patternsIn } from '../support/patterns.ts';

/* The judges of test/architecture/patterns.test.ts notice what is slow, and what their file keeps is linear indeed. */

/** Enough for each example to take twice as long on a fast machine. */
const EXAMPLE_LENGTH = 36_000;

test.each([
  ...[String.raw`\/+$`, '[^@:]+(?=:)', String.raw`\[((?:[^[\]\\]|\\.)*)\]\(\d+\)`, '[:@][^/]+$'],
  ...[String.raw`^[^@/\s]+@([\w.-]+):\/*(\S+)$`, String.raw`^\s*([^\s:]+):\s*(.+)$`],
])('a pattern such as /%s/ would be noticed by its texts', (source) => {
  expect(slowText({ file: 'example.ts', line: 1, source, flags: '' }, EXAMPLE_LENGTH)).toEqual(expect.any(String));
});

test.each(['[:@][^/]+$', 'container[^/]*$', String.raw`\/+$`, '(a|b|ab)*$'])(
  'a pattern such as /%s/ would be noticed by its automaton',
  async (source) => {
    expect(await isSlowAutomaton(source)).toBe(true);
  },
);

const [, ...kept] = readFileSync(new URL('../architecture/linear-patterns.txt', import.meta.url), 'utf8').split('\n');
/** Others at each run. */
const some = kept
  .map((line) => ({ line, at: Math.random() }))
  .toSorted((a, b) => a.at - b.at)
  .slice(0, 20)
  .flatMap(({ line }) => patternsIn('linear-patterns.txt', line));

test('twenty kept patterns are judged again', () => expect(some.length).toBeGreaterThan(18));

test.for(some)('/$source/ is kept as linear', { concurrent: true }, async (pattern, context) => {
  context.expect(slowText(pattern)).toBeUndefined();
  context.expect(await isSlowAutomaton(pattern.source, pattern.flags)).toBe(false);
});
