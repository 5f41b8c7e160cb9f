import { closest, distance } from 'fastest-levenshtein';
import type { Fields } from './fields.ts';

/** The name of a field in its own letter case. */
export const fieldNamed = (fields: Fields, name: string): string | undefined =>
  Object.keys(fields).find((one) => one.toLowerCase() === name.toLowerCase());

const MAX_SHOWN = 40;

/** The known word that the text begins, or the nearest where the text is one of them with a slip. */
export function nearWord(text: string, known: readonly string[]): string | undefined {
  const lower = text.toLowerCase();
  const folded = known.map((one) => one.toLowerCase());
  const begun = lower.length > 1 ? folded.find((one) => one.startsWith(lower)) : undefined;
  const near = begun ?? (folded.length > 0 ? closest(lower, folded) : undefined);
  if (near === undefined || (near !== begun && distance(lower, near) > slips(lower.length))) return undefined;
  return known[folded.indexOf(near)];
}

/** Letters that may differ; half of a short word at most, or every word would be near it. */
const slips = (length: number): number => Math.min(Math.max(2, Math.floor(length / 3)), Math.floor(length / 2));

/** The rest of a sentence about an unknown word: the nearest known word, or all of them. */
export function suggestion(text: string, known: readonly string[]): string {
  const near = nearWord(text, known);
  if (near !== undefined) return `: did you mean ${near}?`;
  const shown = known.slice(0, MAX_SHOWN).join(', ');
  return `: use ${shown}${known.length > MAX_SHOWN ? ', ...' : ''}`;
}
