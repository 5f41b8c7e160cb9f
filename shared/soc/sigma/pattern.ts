import type { PatternPart } from './rule.ts';
import { readingSteps, type Steps, searchSteps, take } from './steps.ts';

/**
 * Reads the wildcards of a value: `*` and `?`. A backslash before a wildcard, or before a backslash that precedes a
 * wildcard, makes it literal; any other backslash is literal itself (Sigma specification 2.0, "Escaping").
 */
export function readPattern(value: string): PatternPart[] {
  const parts: PatternPart[] = [];
  let text = '';
  const wildcard = (part: 'any' | 'one') => {
    if (text) parts.push({ text });
    text = '';
    if (part === 'one' || parts.at(-1) !== 'any') parts.push(part);
  };
  for (let at = 0; at < value.length; at++) {
    const [here = '', next] = [value[at], value[at + 1]];
    if (here === '\\' && (next === '*' || next === '?' || next === '\\')) {
      text += next;
      at++;
    } else if (here === '*') wildcard('any');
    else if (here === '?') wildcard('one');
    else text += here;
  }
  if (text || parts.length === 0) parts.push({ text });
  return parts;
}

/** The text of a value without wildcards; undefined for a value with wildcards. */
export function plainText(parts: readonly PatternPart[]): string | undefined {
  const [only] = parts;
  return parts.length === 1 && typeof only === 'object' ? only.text : undefined;
}

export const within = (parts: readonly PatternPart[]): PatternPart[] => beginning(ending(parts));
export const beginning = (parts: readonly PatternPart[]): PatternPart[] =>
  parts.at(-1) === 'any' ? [...parts] : [...parts, 'any'];
export const ending = (parts: readonly PatternPart[]): PatternPart[] =>
  parts[0] === 'any' ? [...parts] : ['any', ...parts];

/** A test of a text, which takes steps. @throws OverBudget */
export type TextTest = (text: string, steps: Steps) => boolean;

/** A test of texts for a pattern. It counts a step for everything beyond one reading of the text. */
export function patternTest(parts: readonly PatternPart[]): TextTest {
  const [first, second, third] = parts;
  const isAny = (part: PatternPart | undefined) => part === 'any';
  if (parts.length === 1 && isAny(first)) return () => true;
  if (parts.length === 1 && typeof first === 'object') return paid((text) => text === first.text);
  if (parts.length === 2 && typeof first === 'object' && isAny(second))
    return paid((text) => text.startsWith(first.text));
  if (parts.length === 2 && isAny(first) && typeof second === 'object')
    return paid((text) => text.endsWith(second.text));
  if (parts.length === 3 && isAny(first) && typeof second === 'object' && isAny(third))
    return (text, steps) => {
      take(steps, searchSteps(text.length, second.text));
      return text.includes(second.text);
    };
  return runsTest(runsOf(parts));
}

const paid =
  (fits: (text: string) => boolean): TextTest =>
  (text, steps) => {
    take(steps, readingSteps(text.length));
    return fits(text);
  };

/** Adjacent parts between two wildcards of any length, so that a run has one length. */
type Run = {
  parts: readonly Exclude<PatternPart, 'any'>[];
  length: number;
  /** The first text of the run, by which it is looked for, and how many characters of the run are before that. */
  head: string | undefined;
  before: number;
};

function runsOf(parts: readonly PatternPart[]): Run[] {
  const runs: Exclude<PatternPart, 'any'>[][] = [[]];
  for (const part of parts)
    if (part === 'any') runs.push([]);
    else runs.at(-1)?.push(part);
  return runs.map((run) => {
    const before = run.findIndex((part) => part !== 'one');
    const head = run[before];
    return {
      parts: run,
      length: run.reduce((sum, part) => sum + (part === 'one' ? 1 : part.text.length), 0),
      head: typeof head === 'object' ? head.text : undefined,
      before: Math.max(0, before),
    };
  });
}

type Place = { text: string; from: number };

function stands(run: Run, { text, from }: Place, steps: Steps): boolean {
  if (from < 0 || from + run.length > text.length) return false;
  let at = from;
  for (const part of run.parts) {
    const length = part === 'one' ? 1 : part.text.length;
    take(steps, readingSteps(length));
    if (part !== 'one' && !text.startsWith(part.text, at)) return false;
    at += length;
  }
  return true;
}

/** The first place of a run at or after `from`. */
function placeOf(run: Run, { text, from }: Place, steps: Steps): number {
  for (let at = from; at + run.length <= text.length; at++) {
    if (run.head !== undefined) {
      const found = text.indexOf(run.head, at + run.before);
      take(steps, searchSteps((found < 0 ? text.length : found) - at, run.head));
      if (found < 0) return -1;
      at = found - run.before;
    }
    if (stands(run, { text, from: at }, steps)) return at;
  }
  return -1;
}

/** The first run begins the text, the last one ends it, and each of the others takes its first place. */
function runsTest(runs: readonly Run[]): TextTest {
  const [head = NOTHING, ...rest] = runs;
  const tail = rest.pop();
  if (!tail) return (text, steps) => text.length === head.length && stands(head, { text, from: 0 }, steps);
  return (text, steps) => {
    if (!stands(head, { text, from: 0 }, steps)) return false;
    let from = head.length;
    for (const run of rest) {
      const found = placeOf(run, { text, from }, steps);
      if (found < 0) return false;
      from = found + run.length;
    }
    const end = text.length - tail.length;
    return end >= from && stands(tail, { text, from: end }, steps);
  };
}

const NOTHING: Run = { parts: [], length: 0, head: undefined, before: 0 };
