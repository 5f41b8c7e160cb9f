import { describe, expect, test } from 'vitest';
import { attacksOn } from '../support/attacks.ts';
import { type Pattern, patternsIn } from '../support/patterns.ts';
import { readSources } from './sources.ts';

/*
 * Each regular expression of the service is tried on texts that are made from it to be slow. Processor time is compared,
 * not time of day: a linear pattern needs milliseconds, one that tries each beginning of a run anew needs seconds.
 */
const LENGTH = 50_000;
const MAX_MS = 300;
/** Enough for each example to take twice as long on a fast machine. */
const EXAMPLE_LENGTH = 36_000;

const service = [...readSources()].filter(([file]) => /^(shared|functions)\//.test(file));
const patterns = service.flatMap(([file, text]) => patternsIn(file, text));

/** The beginning of the first text that takes the pattern too long. */
function slowText(pattern: Pattern, length: number): string | undefined {
  const { source, flags } = pattern;
  const everywhere = new RegExp(source, flags.includes('g') ? flags : `${flags}g`);
  const isSlow = (text: string): boolean => {
    const before = process.cpuUsage().user;
    text.replace(everywhere, '');
    return process.cpuUsage().user - before > MAX_MS * 1000;
  };
  return attacksOn(pattern, length).find(isSlow)?.slice(0, 40);
}

describe('a long text keeps no function busy', () => {
  test('all patterns of the service are found', () => expect(patterns.length).toBeGreaterThan(150));

  test.each(patterns)('$file:$line /$source/', (pattern) => {
    expect(slowText(pattern, LENGTH)).toBeUndefined();
  });

  test.each([
    ...[String.raw`\/+$`, '[^@:]+(?=:)', String.raw`\[((?:[^[\]\\]|\\.)*)\]\(\d+\)`, '[:@][^/]+$'],
    ...[String.raw`^[^@/\s]+@([\w.-]+):\/*(\S+)$`, String.raw`^\s*([^\s:]+):\s*(.+)$`],
  ])('a pattern such as /%s/ would be noticed', (source) => {
    expect(slowText({ file: 'example.ts', line: 1, source, flags: '' }, EXAMPLE_LENGTH)).toEqual(expect.any(String));
  });
});
