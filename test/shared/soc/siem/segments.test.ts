import fc from 'fast-check';
import { afterEach, expect, test, vi } from 'vitest';
import type { SiemEvent } from '#shared/soc/siem/event.ts';
import { makeSegment } from '#shared/soc/siem/segments.ts';
import { hashOf, mayHave, newWordFilter } from '#shared/soc/siem/word-filter.ts';
import { addWordHashes } from '#shared/soc/siem/word-hashes.ts';
import { wordsOf } from '#shared/soc/siem/words.ts';
import { runs } from '../../../support/tier.ts';

afterEach(() => vi.restoreAllMocks());

const EVENTS = 100;
/** An event that counts how often it is read. */
const eventThat = (reads: () => void): SiemEvent => ({
  at: '2026-01-15T08:00:00.000Z',
  receivedAt: '2026-01-15T08:00:01.000Z',
  sourceId: 'source',
  format: 'text',
  severity: 'info',
  host: null,
  user: null,
  action: null,
  category: null,
  product: null,
  service: null,
  message: 'one',
  fields: {},
  get raw() {
    reads();
    return 'one';
  },
});

test('others have a turn between the events of a segment', async () => {
  let at = performance.now();
  vi.spyOn(performance, 'now').mockImplementation(() => {
    at += 25;
    return at;
  });
  let read = 0;
  const events = Array.from({ length: EVENTS }, () => eventThat(() => ++read));
  let readByThen = 0;
  setImmediate(() => {
    readByThen = read;
  });
  const { segment } = await makeSegment('id', events);
  expect(segment.events).toBe(EVENTS);
  expect(readByThen).toBeGreaterThan(0);
  expect(readByThen).toBeLessThan(EVENTS / 2);
});

test('a filter has every word that was added, also behind the words that make it larger, and is as large as these need', () => {
  const words = Array.from({ length: 200_000 }, (_, n) => `word${n}`);
  const filters = [10, 1_000, 200_000].map((count) => {
    const filter = newWordFilter();
    for (const word of words.slice(0, count)) filter.add(word);
    const bits = filter.bits();
    expect(words.slice(0, count).filter((word) => !mayHave(bits, word))).toEqual([]);
    return bits.length;
  });
  expect(filters).toEqual([64, 2048, 65_536]);
});

const signs = [...'abK9 .:/\\@#*_-"=,;é\u00a0ß\ud800', 'word', 'Word-2', 'x'.repeat(81), 'K'];
const words = fc.array(fc.constantFrom(...signs), { maxLength: 60 }).map((parts) => parts.join(''));

test('the filter of a segment has every word by which a search looks for its events, and no other', () => {
  fc.assert(
    fc.property(words, fc.array(words, { maxLength: 4 }), (message, values) => {
      const event = { ...eventThat(() => undefined), message, fields: { values } };
      const hashes = new Set<number>();
      addWordHashes(event, (hash) => hashes.add(hash));
      expect(hashes).toEqual(new Set([...wordsOf(event)].map(hashOf)));
    }),
    { numRuns: runs(300, 5_000) },
  );
});
