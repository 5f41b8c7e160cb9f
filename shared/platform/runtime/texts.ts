/* Texts from outside, handled in time that grows with their length and no faster. */

/** At most `most` characters, and a mark where the text was cut; never half a character. */
export const shortened = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most).toWellFormed()}…`;

/**
 * The text without any of these characters at its end. A pattern such as `/+$` starts again at each slash of `////…x`.
 */
export function withoutTrailing(characters: string, text: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

/** The part of a path or name after its last slash. A pattern such as `x[^/]*$` starts again at each x of `xxx…/`. */
export const afterLastSlash = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/**
 * The form in which names are compared that people type: the same for all spellings in letter case, also of letters
 * whose number changes with it (`ß` and `SS`).
 */
export const caseless = (text: string): string =>
  text.normalize('NFKC').toLowerCase().toUpperCase().toLowerCase().normalize('NFKC');

/** The texts without those that differ from an earlier text in letter case alone. */
export function distinct(texts: readonly string[]): string[] {
  const known = new Set<string>();
  return texts.filter((text) => known.size < known.add(caseless(text)).size);
}

/** A part of a URI without its percent escapes, or as it is when these are wrong. */
export function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** A text in quotation marks, as filters read it. */
export const quoted = (text: string): string => `"${text.replace(/["\\]/g, '\\$&')}"`;
