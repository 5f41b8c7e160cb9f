import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fitsPattern } from '#shared/platform/runtime/wildcard.ts';

/** By the definition: a star takes nothing, or one more character. */
function fits(pattern: string, text: string): boolean {
  if (pattern === '') return text === '';
  if (pattern.startsWith('*')) return fits(pattern.slice(1), text) || (text !== '' && fits(pattern, text.slice(1)));
  return text !== '' && pattern[0] === text[0] && fits(pattern.slice(1), text.slice(1));
}

test('a pattern suppresses exactly what its stars allow', () => {
  const few = (letters: string[]) => fc.string({ unit: fc.constantFrom(...letters), maxLength: 7 });
  fc.assert(
    fc.property(few(['a', 'b', '*']), few(['a', 'b']), (pattern, text) => {
      expect(fitsPattern(pattern, text)).toBe(fits(pattern, text));
    }),
    { numRuns: 2_000 },
  );
});

test.each([
  ['test/*', 'test/api/a.ts', true],
  ['test/*', 'src/test/a.ts', false],
  ['*/test/*.TS', 'src/test/a.ts', true],
  ['10.0.*', '10.0.0.7', true],
  ['a.c', 'abc', false],
  ['(a+)+$', 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!', false],
])('%s and %s: %s', (pattern, text, expected) => {
  expect(fitsPattern(pattern, text)).toBe(expected);
});
