/*
 * The cost of JSON in memory: a value of two bytes becomes an object of 56. The levels and values of a text are bounded before it is parsed.
 */

/** XML has the same limit. No scanner nests 100 deep. */
export const MAX_LEVELS = 100;

/** Inside of one entry of a report; a SARIF result with the longest code flows has some tens of thousands. */
export const MAX_VALUES = 500_000;

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;

const isOpening = (code: number) => code === 0x7b || code === 0x5b;
const isClosing = (code: number) => code === 0x7d || code === 0x5d;

/**
 * Counts the levels and values of a JSON text, which need not be well-formed. @returns the kind that exceeds its limit
 */
export const excessOf = (text: string, levels = MAX_LEVELS, values = MAX_VALUES): 'levels' | 'values' | undefined =>
  costOf(text, levels, values).excess;

/** The same with the number of values, as far as they are counted: commas and opening brackets. */
export function costOf(
  text: string,
  levels = MAX_LEVELS,
  values = MAX_VALUES,
): { values: number; excess?: 'levels' | 'values' } {
  let depth = 0;
  let count = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    else if (isOpening(code)) {
      depth += 1;
      count += 1;
      if (depth > levels) return { values: count, excess: 'levels' };
    } else if (isClosing(code)) depth -= 1;
    else if (code === COMMA) count += 1;
    if (count > values) return { values: count, excess: 'values' };
  }
  return { values: count };
}

/** The value of a JSON text from outside. @throws SyntaxError also for a text that has too many levels or values */
export function parseBounded(text: string): unknown {
  const excess = excessOf(text);
  if (excess) throw new SyntaxError(`The JSON has too many ${excess}.`);
  return JSON.parse(text);
}

/** The closing quote of the string that opens at `from`, or the end of the text. */
function endOfString(text: string, from: number): number {
  for (let end = text.indexOf('"', from + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let escapes = 0;
    while (text.charCodeAt(end - 1 - escapes) === BACKSLASH) escapes += 1;
    if (escapes % 2 === 0) return end;
  }
  return text.length;
}
