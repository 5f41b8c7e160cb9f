import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compileRule } from '#shared/soc/sigma/compile.ts';
import { eventTexts } from '#shared/soc/sigma/event.ts';
import { readSigma } from '#shared/soc/sigma/read.ts';
import { SigmaError } from '#shared/soc/sigma/refusal.ts';
import { MAX_INSTRUCTIONS, regexMaker } from '#shared/soc/sigma/regex.ts';
import { OverBudget, type Steps } from '#shared/soc/sigma/steps.ts';
import { eventOf } from '../../../support/detection/events.ts';
import { dice } from '../../../support/faults.ts';

/* Steps are counted here and no time: `npm run bench` measures what a step takes. */
const makeRegex = await regexMaker();

async function read(detection: object) {
  const text = await readSigma(JSON.stringify({ title: 'x', logsource: { product: 'linux' }, detection }));
  return text.rules[0] ?? expect.fail('no rule');
}

/** The reason why a rule with this selection is refused. */
async function refusal(selection: object, condition: string | string[] = 'selection'): Promise<string | undefined> {
  try {
    await read({ ...selection, condition });
    return undefined;
  } catch (error) {
    if (error instanceof SigmaError) return error.message;
    throw error;
  }
}

const BUDGET = 1_000_000;

/** The steps that a line takes on a text, at most as many as the budget has. */
async function stepsOf(line: object, text: string, most = BUDGET): Promise<number> {
  const rule = await read({ selection: line, condition: 'selection' });
  const steps: Steps = { left: most, at: '' };
  try {
    compileRule(rule, makeRegex)(eventTexts(eventOf({ fields: { f: text, g: text } })), steps);
  } catch (error) {
    if (!(error instanceof OverBudget)) throw error;
    expect(error.pattern).toMatch(/^selection\.f: ./);
    return most;
  }
  return most - steps.left;
}

describe('a rule is not taken if its text alone is too much', () => {
  test.each([
    '(a|b|ab){990}',
    '((a|b|ab){30}){33}',
    `(${'abcdefghij'.repeat(90)}){1000}`,
    '(((a{10}){10}){10}|(((b|c){10}){10}){10})',
    '(?:(?:a?){100}){10}',
    String.raw`(${'x'.repeat(500)}[](\]]([^]a[]b)[[:alpha:])]){500}`,
  ])('an expression such as %s', async (source) => {
    expect(await refusal({ selection: { 'f|re': source } })).toMatch(/^detection.selection.f\|re: makes .* too large/);
  });

  test('expressions that are small alone, and many together', async () => {
    const some = Array.from({ length: 400 }, (_, n) => `[a-c]${n}x`);
    expect(await refusal({ selection: { 'f|re': some.slice(0, 300) } })).toBeUndefined();
    expect(await refusal({ selection: { 'f|re': some } })).toMatch(/too large .*split the rule/);
  });

  test('a condition that names its searches again and again', async () => {
    const searches = Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`s${n}`, { f: n }]));
    expect(await refusal(searches, '1 of them or 1 of s* or all of them')).toBeUndefined();
    const many = Array.from({ length: 6 }, () => '1 of them');
    expect(await refusal(searches, many)).toMatch(/^detection.condition: must name at most 500 searches/);
  });

  test.each([
    '.{1000,}',
    '(.){200,}',
    String.raw`(?:[Pp]rogram[Dd]ata|%(?:[Ll]ocal)?[Aa]pp[Dd]ata%|\\[Aa]pp[Dd]ata\\(?:[Ll]ocal(?:[Ll]ow)?|[Rr]oaming))\\[^\\]{1,256}$`,
    String.raw`(Get-Item|gci|Get-ChildItem).{1,64}-Path.{1,64}\\(currentcontrolset\\services|CurrentVersion\\Run)`,
  ])('the largest expressions of public rules are taken: %s', async (source) => {
    expect(await refusal({ selection: { 'f|re': source } })).toBeUndefined();
    expect(await stepsOf({ 'f|re': source }, 'abc -Path '.repeat(400))).toBeLessThan(BUDGET * 8);
  });
});

describe('patterns take steps in proportion to the text', () => {
  const LENGTH = 8_000;
  test.each([
    ['*?b*', 'a'],
    ['*a*a*a*a*a*b*', 'a'],
    ['*aab*aab*aac*', 'aab'],
    ['*b', 'a'],
    ['a*', 'a'],
    ['*ab*', 'a'],
  ])('%s on a long text', async (pattern, letter) => {
    const text = letter.repeat(LENGTH / letter.length);
    const [one, two] = [await stepsOf({ f: pattern }, text), await stepsOf({ f: pattern }, text + text)];
    expect(one).toBeLessThan(4 * LENGTH);
    expect(two).toBeLessThan(2.1 * one);
  });

  test.each([
    ['many wildcards for one character', { f: `*${'?a'.repeat(200)}b*` }, 'a'],
    ['an expression with many ways', { 'f|re': '(a|b|ab){300}c?[xy]' }, 'ab'],
    ['an expression with many states', { 'f|re': '[ab]*a[ab]{200}[cd]' }, 'ab'],
    ['a long value', { 'f|contains': `${'a'.repeat(3_000)}b${'a'.repeat(3_000)}` }, 'a'],
    ['the text of another field', { 'f|fieldref|contains': 'g' }, 'a'],
  ])('what needs more is stopped, and named: %s', async (_, line, letters) => {
    const roll = dice(1);
    const random = Array.from({ length: 100_000 }, () => letters[Math.floor(roll() * letters.length)]).join('');
    expect(await stepsOf(line, random)).toBe(BUDGET);
  });
});

const atom = fc.constantFrom('a', 'b', '.', '[ab]', '[^a]', '(a|b)', '(?:ab|a)', String.raw`\w`, 'a?', 'b*', '(?i)a');
const times = fc.constantFrom('', '*', '+', '?', '{2}', '{1,9}', '{30}', '{200,}', '{990}', '{1000}');
const expression = fc
  .array(fc.tuple(atom, times), { minLength: 1, maxLength: 6 })
  .chain((pieces) => fc.tuple(fc.constant(pieces.map(([one, again]) => `(?:${one})${again}`).join('')), times, times))
  .map(([inner, one, other]) => `(?:(?:${inner})${one})${other}`);
const pattern = fc.string({ unit: fc.constantFrom('a', 'b', '*', '?'), minLength: 1, maxLength: 60 });
const hostile = fc.oneof(
  expression.map((source) => ({ 'f|re': source })),
  pattern.map((value) => ({ f: value })),
  fc.array(pattern, { minLength: 2, maxLength: 20 }).map((values) => ({ 'f|contains|all': values })),
);
/** An expression of 2,000 instructions has reached all its states after so many characters: what follows only repeats. */
const SETTLED = MAX_INSTRUCTIONS;
const text = fc
  .string({ unit: fc.constantFrom('a', 'b', 'ab', '\n', 'ß', '😀'), minLength: 1, maxLength: 20 })
  .map((piece) => piece.repeat(Math.ceil(SETTLED / piece.length)));

test('random hostile rules are refused, or take at most twice the steps on twice the text', async () => {
  await fc.assert(
    fc.asyncProperty(hostile, text, async (line, content) => {
      if ((await refusal({ selection: line })) !== undefined) return;
      const one = await stepsOf(line, content, 1e12);
      expect(one).toBeGreaterThan(0);
      // the first text also makes the states of an expression
      expect(await stepsOf(line, content + content, 1e12)).toBeLessThanOrEqual(2.2 * one + 100 * MAX_INSTRUCTIONS);
    }),
    { numRuns: 300 },
  );
});
