import { check } from 'recheck';
import { expect, test } from 'vitest';
import { readSources } from '../architecture/sources.ts';
import { patternsIn } from '../support/patterns.ts';

/*
 * Each regular expression of the code that meets input is judged by recheck, which looks for a text on which it takes more than linear
 * time. test/architecture/patterns.test.ts tries texts of its own at every change; this takes a minute.
 */
const judged = /^(shared|functions|local)\//;
const patterns = [...readSources()].flatMap(([file, text]) => (judged.test(file) ? patternsIn(file, text) : []));
const once = [...new Map(patterns.map((one) => [`/${one.source}/${one.flags}`, one])).values()];

/**
 * Milliseconds for one pattern. Half of them is enough for 611 of 654. What takes longer has bounds that make many states, and most
 * of that is not judged in ten times as long: the texts of the other test judge it.
 */
const TIMEOUT = 1_000;

/** The programs that judge do not know these; none of them changes the time that a match takes. */
const withoutNewFlags = (flags: string): string => flags.replaceAll(/[dv]/g, '');

test('all patterns are found', () => expect(once.length).toBeGreaterThan(500));

/** By its automaton: its other way, random texts, takes a pattern with a bound of some hundreds for one without. */
const isSlow = async (source: string, flags: string): Promise<boolean> =>
  (await check(source, withoutNewFlags(flags), { checker: 'automaton', timeout: TIMEOUT })).status === 'vulnerable';

test.each(['[:@][^/]+$', 'container[^/]*$', String.raw`\/+$`, '(a|b|ab)*$'])(
  '/%s/ would be noticed',
  async (source) => {
    expect(await isSlow(source, '')).toBe(true);
  },
);

test.for(once)('/$source/ of $file:$line is linear', { concurrent: true }, async ({ source, flags }, context) => {
  context.expect(await isSlow(source, flags)).toBe(false);
});
