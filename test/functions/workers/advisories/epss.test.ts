import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { movedEpss, packEpss } from '#functions/workers/advisories/epss.ts';
import { epssIn } from '#shared/advisories/epss.ts';

type Scores = Record<string, number>;

const csv = (scores: Scores, header = '#model_version:v2026.06.15,score_date:2026-08-17T00:00:00+0000'): string =>
  `${[header, 'cve,epss,percentile', ...Object.entries(scores).map(([cve, score]) => `${cve},${score},${score}`)].join('\n')}\n`;

const packed = (scores: Scores): Buffer => packEpss(csv(scores)).content;

const cve = fc
  .tuple(fc.integer({ min: 1999, max: 2030 }), fc.integer({ min: 1, max: 9_999_999 }))
  .map(([year, number]) => `CVE-${year}-${String(number).padStart(4, '0')}`);
const scoresOf = fc.dictionary(
  cve,
  fc.integer({ min: 0, max: 10_000 }).map((part) => part / 10_000),
);

describe('the chance of exploitation', () => {
  test('each vulnerability has the score that the file gives it, and others have none', () =>
    fc.assert(
      fc.property(scoresOf, cve, (scores, other) => {
        const content = packed(scores);
        for (const [id, score] of Object.entries(scores))
          expect(epssIn(content, id)).toEqual({ probability: score, percentile: score });
        expect(epssIn(content, other)?.probability).toBe(scores[other]);
      }),
    ));

  test('the vulnerabilities that moved are those whose scores differ, each named once', () =>
    fc.assert(
      fc.property(scoresOf, scoresOf, (before, after) => {
        const all = [...new Set([...Object.keys(before), ...Object.keys(after)])];
        const differ = all.filter((id) => before[id] !== after[id]);
        expect(movedEpss(packed(before), packed(after)).sort()).toEqual(differ.sort());
      }),
    ));

  test('the day of the scores is read in both spellings of the publisher', () => {
    const day = (text: string) => packEpss(csv({}, `#model_version:v1,score_date:${text}`)).publishedAt;
    expect(day('2026-08-17T12:03:47Z')).toBe('2026-08-17T12:03:47.000Z');
    expect(day('2026-08-17T00:00:00+0000')).toBe('2026-08-17T00:00:00.000Z');
  });

  test.each([
    ['no first line with a date', 'cve,epss,percentile\nCVE-2021-44228,0.9,0.9\n', /score_date/],
    ['a line that breaks off', csv({ 'CVE-2021-44228': 0.9 }).slice(0, -1), /ends in the middle/],
    ['a chance above one', csv({ 'CVE-2021-44228': 9 }), /entry 1/],
    ['something that is no CVE', csv({ log4shell: 0.9 }), /entry 1: cve must be like/],
    ['a page of HTML', '<html>\n', /score_date/],
    ['a line with too few cells', `${csv({})}CVE-2021-44228,0.9\n`, /no CSV/],
  ])('%s is refused with the reason', (_, text, reason) => {
    expect(() => packEpss(text)).toThrow(reason);
  });
});
