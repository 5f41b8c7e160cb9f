import { expect, test } from 'vitest';
import { excessOf, MAX_LEVELS, MAX_VALUES } from '#shared/platform/runtime/json-cost.ts';
import { codeOf, eventsOf, findingsOf } from './reading.ts';

/* Reports that were made to take much memory: a byte of theirs costs no more than a bounded number. */

const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;
const generic = (x: string) => `{"findings":[{"title":"t","severity":"High","x":${x}}]}`;
const xml = (inside: string) => `<nmaprun><host ${inside}></host></nmaprun>`;

test.each<[string, string, string, string]>([
  ['generic', 'brackets in brackets inside of an entry', generic(nested(2_000_000)), 'invalid_report'],
  ['generic', 'brackets in brackets of its list', `{"findings":${nested(2_000_000)}}`, 'invalid_report'],
  ['sarif', 'objects in objects', `{"runs":[{"results":[${'{"a":'.repeat(100_000)}`, 'invalid_report'],
  ['generic', 'an entry of very many values', generic(`[${'{},'.repeat(MAX_VALUES)}1]`), 'too_large'],
  ['trivy', 'an endless key', `{"Results":[],"${'k'.repeat(5000)}":1}`, 'too_large'],
  ['nuclei', 'a line of brackets in brackets', `{"template-id":${nested(100_000)}}\n`, 'invalid_report'],
  ['nuclei', 'a line of very many values', `{"a":[${'{},'.repeat(MAX_VALUES)}1]}\n`, 'too_large'],
  ['generic', 'a row of very many cells', `title,severity\n${','.repeat(4_000_000)}\n`, 'too_large'],
  [
    'nmap',
    'an element of very many attributes',
    xml(Array.from({ length: 100_000 }, (_, n) => `a${n}=""`).join(' ')),
    'invalid_report',
  ],
])('a report of %s with %s is refused', async (format, _, content, code) => {
  expect(await codeOf(eventsOf(format, content))).toBe(code);
});

test('a report of 100 levels is read', async () => {
  const events = await eventsOf('generic', generic(nested(MAX_LEVELS - 3)));
  expect(findingsOf(events)).toHaveLength(1);
  expect(await codeOf(eventsOf('generic', generic(nested(MAX_LEVELS - 2))))).toBe('invalid_report');
});

test('the levels and values of a text are counted outside of its strings', () => {
  expect(excessOf('["[[[","\\\\",[1,2]]', 2, 5)).toBeUndefined();
  expect(excessOf('["\\"[[[",[1,2]]', 1)).toBe('levels');
  expect(excessOf('[1,2,3]', 1, 2)).toBe('values');
  expect(excessOf('[1,"2', 1, 2)).toBeUndefined();
});
