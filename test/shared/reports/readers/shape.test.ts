import { expect, test } from 'vitest';
import { hasShape } from '#shared/reports/readers/shape.ts';

const head = '{"a": [{"b": {"c": "x"}}], "k": {"z": 1}, "text": "{\\"fake\\": 1}", "cut": [{"q": "hal';

test.each([
  ['a', true],
  ['a.[].b.c', true],
  ['a.[].b.c=x', true],
  ['a.[].b.c=y', false],
  ['k.*', true],
  ['k.z=1', true],
  ['a.*.b', false],
  ['fake', false],
  ['text.fake', false],
  ['b', false],
  ['cut.[].q', false],
])('the beginning of a report has a value at %s: %s', (path, expected) => {
  expect(hasShape(head, path)).toBe(expected);
});

test('documents one behind the other count as one report', () => {
  expect(hasShape('{"x": 1}\n{"y": [[{"z": 2}]]}', 'y.[].[].z')).toBe(true);
});
