import { expect, test } from 'vitest';
import { completed, placeAt } from '../../console/filter/completion.ts';

test.each([
  ['', 0, { kind: 'field', from: 0, typed: '' }],
  ['sev', 3, { kind: 'field', from: 0, typed: 'sev' }],
  ['-too', 4, { kind: 'field', from: 1, typed: 'too' }],
  ['kev:true (sev', 13, { kind: 'field', from: 10, typed: 'sev' }],
  ['asset.ta', 8, { kind: 'field', from: 0, typed: 'asset.ta' }],
  ['severity:', 9, { kind: 'value', from: 9, field: 'severity', typed: '' }],
  ['severity:critical,hi', 20, { kind: 'value', from: 18, field: 'severity', typed: 'hi' }],
  ['-tool:tri kev:true', 9, { kind: 'value', from: 6, field: 'tool', typed: 'tri' }],
  ['tag:"pay, roll', 14, { kind: 'value', from: 4, field: 'tag', typed: 'pay, roll' }],
  ['due<7', 5, { kind: 'compared', from: 4, field: 'due', typed: '7' }],
  ['-due>=20', 8, { kind: 'compared', from: 6, field: 'due', typed: '20' }],
  ['"remote co', 10, undefined],
])('the caret of %j at %i completes %j', (text, caret, place) => {
  expect(placeAt(text, caret)).toEqual(place);
});

test('a suggestion replaces what is typed of it, and nothing else', () => {
  const [text, caret] = ['severity:critical,hi status:open', 20];
  const place = placeAt(text, caret);
  expect(place && completed(text, caret, place, 'high')).toEqual({
    text: 'severity:critical,high status:open',
    caret: 22,
  });
});

test('a value with blanks is quoted, and a field ends with its colon', () => {
  const completedTo = (text: string, suggestion: string) => {
    const place = placeAt(text, text.length);
    return place && completed(text, text.length, place, suggestion).text;
  };
  expect(completedTo('tag:pay', 'pay "roll", new')).toBe('tag:"pay \\"roll\\", new"');
  expect(completedTo('kev:true sev', 'severity')).toBe('kev:true severity:');
});
