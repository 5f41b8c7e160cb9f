import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { INBOX_SHARDS, inboxKey, organizationIn } from '#shared/platform/table/changes.ts';
import { type Key, keysOf, readTallyKey, tallyValue } from '#shared/platform/table/layout/keys.ts';
import { isWord, marksOf, NO_VALUE, orderIn, valueMark } from '#shared/platform/table/layout/marks.ts';
import { inverted, MAX_RANK, rankIn, rankTexts } from '#shared/platform/table/layout/ranks.ts';
import { wantedWords, wordsOf } from '#shared/platform/table/layout/words.ts';
import { draft, type Ticket, ticketsWith } from './models.ts';

describe('the words that find a record', () => {
  test.each<[string, string[]]>([
    ['The Pump, the pump and a VALVE', ['pump', 'valve']],
    ['x ab abc', ['ab', 'abc']],
    ['\u{10428} \u{10428}\u{10428} 日本', ['\u{10428}\u{10428}', '日本']],
    ['end. (10.0.0.7:) web-01_', ['end', '10.0.0.7', 'web-01']],
    [`${'a'.repeat(24)} ${'b'.repeat(25)}`, ['a'.repeat(24), 'b'.repeat(24)]],
    ['...', []],
  ])('of %j', (text, words) => {
    expect(wordsOf([text])).toEqual(words);
  });

  test('are as many as the entity declares, the first of all texts, none twice', () => {
    const many = Array.from({ length: 20 }, (_, n) => `word${n}`);
    expect(wordsOf([many.join(' ')])).toEqual(many.slice(0, 12));
    expect(wordsOf(['one two', null, undefined, 'one three'], 3)).toEqual(['one', 'two', 'three']);
    expect(wordsOf(['one two', 'three'], 2)).toEqual(['one', 'two']);
  });

  test('asked for are eight at most, each with what was said of it', () => {
    expect(wantedWords('pump "port" of x')).toEqual([
      { word: 'pump', exact: false },
      { word: 'port', exact: true },
    ]);
    const nine = Array.from({ length: 9 }, (_, n) => `word${n}`);
    expect(wantedWords(nine.join(' ')).map(({ word }) => word)).toEqual(nine.slice(0, 8));
    expect(wantedWords('""')).toEqual([]);
  });
});

test('a rank is a whole number from 0 to 2^40 - 1: any other number would be in a wrong place or found as another', () => {
  for (const wrong of [-1, MAX_RANK + 1, 0.5, Number.NaN, Number.POSITIVE_INFINITY])
    expect(() => inverted(wrong), String(wrong)).toThrow(/whole number/);
  const ranks = [0, 1, 35, 36, 2 ** 32, MAX_RANK - 1, MAX_RANK];
  const texts = ranks.flatMap((points) => rankTexts({ points, none: undefined }));
  expect(texts.toSorted()).toEqual(texts.toReversed());
  expect(texts.map((text) => rankIn('points', text))).toEqual(ranks);
});

describe('the marks of a record', () => {
  const ticket = (fields: Partial<Ticket>): Ticket => ({
    id: '1',
    version: 1,
    createdAt: '',
    updatedAt: '',
    ...draft({ title: 'pump', ...fields }),
  });

  test('are its words, declared values, dimensions, parents and places in orders', () => {
    const marks = marksOf(ticketsWith('ticket'), ticket({ owner: 'ann', points: 2 }));
    const values = ['status=open', 'severity=low', 'owner=ann', 'zone=north', 'points=2'];
    expect(marks).toEqual(['pump', 'north', ...values, 'points>0999998']);
  });

  test('distinguish a missing value (null) from an undeclared one', () => {
    const entity = {
      ...ticketsWith('ticket'),
      indexed: ({ code, codes }: Ticket) => ({ code, codes, none: undefined }),
    };
    const marks = marksOf(entity, ticket({ codes: ['a', 'b'] })).filter((mark) =>
      /^(code|none|owner|points)/.test(mark),
    );
    expect(marks).toEqual([`code=${NO_VALUE}`, 'codes=a', 'codes=b', 'points>0999999']);
    expect(marksOf(entity, ticket({ status: 'fixed' })).some((mark) => mark.includes('>'))).toBe(false);
    expect(marksOf({ ...entity, indexed: undefined }, ticket({ status: 'fixed' }))).toEqual(['pump', 'north']);
  });

  test('of a long value is its hash, so that keys stay short and no two values are one', () => {
    const value = 'v'.repeat(120 - 'name='.length);
    expect(valueMark('name', value)).toBe(`name=${value}`);
    const [one, two] = [valueMark('name', `${value}a`), valueMark('name', `${value}b`)];
    for (const mark of [one, two]) expect(mark).toMatch(/^name=#[\w-]{43}$/);
    expect(one).not.toBe(two);
  });

  test('are distinguished by their form', () => {
    expect(['log4j', 'tool=semgrep', 'due>2026-02-14'].map(isWord)).toEqual([true, false, false]);
    expect(orderIn('due>2026-02-14')).toEqual({ name: 'due', text: '2026-02-14' });
    expect(orderIn('due>')).toEqual({ name: 'due', text: '' });
    for (const other of ['log4j', 'tool=a>b']) expect(orderIn(other)).toBeUndefined();
  });
});

describe('keys', () => {
  const nameOf = ({ pk, sk }: Key): string => `${pk} ${sk}`;

  test('of a tally hold any value, and none runs into the shard or into another value', () => {
    const text = fc.oneof(fc.constantFrom('', '~', '#', '%', '%23', '%25', 'a#1'), fc.string());
    fc.assert(
      fc.property(fc.option(text), fc.option(text), (one, two) => {
        for (const shards of [1, 4]) {
          const { tally } = keysOf('org', { name: 'ticket', shards });
          for (const value of [one, two]) expect(readTallyKey(tally('zone', value, 3).sk)).toBe(value);
          if (one !== two) expect(tally('zone', one, 1).sk).not.toBe(tally('zone', two, 1).sk);
        }
        expect(tallyValue(one)).not.toContain('#');
      }),
    );
  });

  test('of one value are one row a shard, and each record adds to one of them', () => {
    for (const shards of [1, 4]) {
      const keys = keysOf('org', { name: 'ticket', shards });
      const rows = keys.tallyRows('zone', 'north').map(nameOf);
      expect(new Set(rows).size).toBe(shards);
      const written = Array.from({ length: 9 }, (_, ordinal) => nameOf(keys.tally('zone', 'north', ordinal)));
      expect(new Set(written)).toEqual(new Set(rows));
      expect(new Set(Array.from({ length: 9 }, (_, n) => nameOf(keys.facets(n)))).size).toBe(shards);
    }
  });

  test('of records lie in partitions of 4,320, each to its end', () => {
    const { record, detail, recordsFrom } = keysOf('org', { name: 'ticket', shards: 1 });
    const partitions = [0, 4319, 4320].map((ordinal) => record(ordinal).pk);
    expect(partitions).toEqual(['org#ticket#0', 'org#ticket#0', 'org#ticket#1']);
    expect([4319, 4320].map((ordinal) => detail(ordinal).pk)).toEqual(['org#ticket#d0', 'org#ticket#d1']);
    expect(recordsFrom(4319)).toMatchObject({ pk: 'org#ticket#0', last: 4319 });
    expect(recordsFrom(4320)).toMatchObject({ pk: 'org#ticket#1', from: record(4320).sk, last: 8639 });
    expect(recordsFrom(4320).to).toBe(record(8639).sk);
  });

  test('of changes are in sixteen partitions, all of an organization in one, by time', () => {
    const keys = Array.from({ length: 400 }, (_, n) => inboxKey(`org${n}`, '1'));
    expect([INBOX_SHARDS, new Set(keys.map(({ pk }) => pk)).size]).toEqual([16, 16]);
    for (const [n, key] of keys.entries()) expect(organizationIn(key)).toBe(`org${n}`);
    expect(inboxKey('org1', '2').pk).toBe(inboxKey('org1', '1').pk);
  });
});
