import { closest, distance } from 'fastest-levenshtein';
import type { Fields } from './fields.ts';

/** The name of a field in its own letter case. */
export const fieldNamed = (fields: Fields, name: string): string | undefined =>
  Object.keys(fields).find((one) => one.toLowerCase() === name.toLowerCase());

const MAX_SHOWN = 40;

/** The nearest of the known words, where the text is one of them with a slip. */
export function nearWord(text: string, known: readonly string[]): string | undefined {
  const lower = text.toLowerCase();
  const folded = known.map((one) => one.toLowerCase());
  const near = folded.length > 0 ? closest(lower, folded) : undefined;
  if (near === undefined || distance(lower, near) > Math.max(2, Math.floor(lower.length / 3))) return undefined;
  return known[folded.indexOf(near)];
}

/** The rest of a sentence about an unknown word: the nearest known word, or all of them. */
export function suggestion(text: string, known: readonly string[]): string {
  const near = nearWord(text, known);
  if (near !== undefined) return `: did you mean ${near}?`;
  const shown = known.slice(0, MAX_SHOWN).join(', ');
  return `: use ${shown}${known.length > MAX_SHOWN ? ', ...' : ''}`;
}
