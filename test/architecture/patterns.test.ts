import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { isSlowAutomaton, judges, slowText } from '../support/pattern-judges.ts';
import { literalOf, patternsIn } from '../support/patterns.ts';
import { readSources } from './sources.ts';

/*
 * Two judges look at each regular expression of the code that meets input: one tries texts that are made from the pattern to be slow,
 * the other (recheck) looks for such a text in its automaton. Their judgement of a pattern stays the same and takes minutes for all.
 * Therefore linear-patterns.txt keeps the patterns that both found linear, and only the others are judged here. The first line names
 * the judges: when one of them changes, all patterns are judged again. test/deep/patterns.test.ts tries the judges and the kept patterns.
 * `npm test -- test/architecture/patterns.test.ts -u` writes the file, without the patterns that fail here.
 */
const judged = [...readSources()].filter(([file]) => /^(shared|functions|local)\//.test(file));
const found = judged.flatMap(([file, text]) => patternsIn(file, text));
const patterns = new Map(found.map((pattern) => [literalOf(pattern), pattern]));

const [keptBy, ...lines] = readFileSync(new URL('linear-patterns.txt', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n');
const kept = new Set(keptBy === judges ? lines : []);
const fresh = [...patterns].filter(([literal]) => !kept.has(literal)).map(([, pattern]) => pattern);
const linear = [...patterns.keys()].filter((literal) => kept.has(literal));

describe('a long text keeps no function busy', () => {
  test('all patterns of the service are found', () => expect(patterns.size).toBeGreaterThan(500));

  test.each(fresh)('$file:$line /$source/', async (pattern) => {
    expect(slowText(pattern)).toBeUndefined();
    expect(await isSlowAutomaton(pattern.source, pattern.flags)).toBe(false);
    linear.push(literalOf(pattern));
  });

  test('the kept file has each linear pattern of the code, and no other', async () => {
    const text = [judges, ...linear.toSorted()].join('\n');
    await expect(`${text}\n`).toMatchFileSnapshot('linear-patterns.txt');
  });
});
