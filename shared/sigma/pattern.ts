import type { PatternPart } from './rule.ts';

/**
 * Reads the wildcards of a value: `*` and `?`. A backslash before one of them, or before a backslash that stands before one,
 * takes its meaning away; any other backslash is itself (Sigma specification 2.0, "Escaping").
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

/** The text of a value without wildcards; undefined for one that has some. */
export function plainText(parts: readonly PatternPart[]): string | undefined {
  const [only] = parts;
  return parts.length === 1 && typeof only === 'object' ? only.text : undefined;
}

export const within = (parts: readonly PatternPart[]): PatternPart[] => beginning(ending(parts));
export const beginning = (parts: readonly PatternPart[]): PatternPart[] =>
  parts.at(-1) === 'any' ? [...parts] : [...parts, 'any'];
export const ending = (parts: readonly PatternPart[]): PatternPart[] =>
  parts[0] === 'any' ? [...parts] : ['any', ...parts];

type Fits = (text: string) => boolean;

/** A test of texts. It takes time in proportion to the text and the pattern, whatever they are. */
export function patternTest(parts: readonly PatternPart[]): Fits {
  const [first, second, third] = parts;
  const isAny = (part: PatternPart | undefined) => part === 'any';
  if (parts.length === 1 && typeof first === 'object') return (text) => text === first.text;
  if (parts.length === 1 && isAny(first)) return () => true;
  if (parts.length === 2 && typeof first === 'object' && isAny(second)) return (text) => text.startsWith(first.text);
  if (parts.length === 2 && isAny(first) && typeof second === 'object') return (text) => text.endsWith(second.text);
  if (parts.length === 3 && isAny(first) && typeof second === 'object' && isAny(third))
    return (text) => text.includes(second.text);
  return runsTest(runsOf(parts));
}

/** Parts between two wildcards of any length: they stand together, so that a run has one length. */
type Run = { parts: readonly Exclude<PatternPart, 'any'>[]; length: number };

function runsOf(parts: readonly PatternPart[]): Run[] {
  const runs: Exclude<PatternPart, 'any'>[][] = [[]];
  for (const part of parts)
    if (part === 'any') runs.push([]);
    else runs.at(-1)?.push(part);
  return runs.map((run) => ({
    parts: run,
    length: run.reduce((sum, part) => sum + (part === 'one' ? 1 : part.text.length), 0),
  }));
}

function stands(run: Run, text: string, from: number): boolean {
  if (from < 0 || from + run.length > text.length) return false;
  let at = from;
  for (const part of run.parts) {
    if (part !== 'one' && !text.startsWith(part.text, at)) return false;
    at += part === 'one' ? 1 : part.text.length;
  }
  return true;
}

/** The first place at or behind `from` where a run stands. One that begins with a text is looked for by it. */
function placeOf(run: Run, text: string, from: number): number {
  const [head] = run.parts;
  for (let at = from; at + run.length <= text.length; at++) {
    if (typeof head === 'object') {
      at = text.indexOf(head.text, at);
      if (at < 0) return -1;
    }
    if (stands(run, text, at)) return at;
  }
  return -1;
}

/** The first run begins the text, the last one ends it, and each of the others takes its first place. */
function runsTest(runs: readonly Run[]): Fits {
  const [head = { parts: [], length: 0 }, ...rest] = runs;
  const tail = rest.pop();
  if (!tail) return (text) => text.length === head.length && stands(head, text, 0);
  return (text) => {
    if (!stands(head, text, 0)) return false;
    let at = head.length;
    for (const run of rest) {
      const found = placeOf(run, text, at);
      if (found < 0) return false;
      at = found + run.length;
    }
    return text.length - tail.length >= at && stands(tail, text, text.length - tail.length);
  };
}
