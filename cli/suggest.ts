import { closest, distance } from 'fastest-levenshtein';

/** The rest of a sentence about an unknown name: the nearest known name, if one is near. */
export function nearest(name: string, known: readonly string[]): string {
  const near = known.length > 0 ? closest(name, known) : '';
  return near !== '' && distance(name, near) <= Math.max(2, name.length / 3) ? `: did you mean ${near}?` : '.';
}
