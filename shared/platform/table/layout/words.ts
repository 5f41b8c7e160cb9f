import { withoutTrailing } from '../../runtime/texts.ts';

/** Searchable words of a record unless its entity declares another number. */
export const DEFAULT_WORDS = 12;
const MAX_LENGTH = 24;
const MIN_LENGTH = 2;
/** Words of nearly every text: they distinguish nothing. */
const COMMON = new Set('the of in to and or an is on by for with via at be'.split(' '));

/**
 * The searchable words of some texts, in order of appearance, at most `most`. Identifiers with dots, dashes or
 * underscores (`CVE-2021-44228`, `10.0.0.7`, `app.py`) stay one word, so that their beginning finds them.
 */
export function wordsOf(texts: readonly (string | null | undefined)[], most = DEFAULT_WORDS): string[] {
  const words = new Set<string>();
  for (const text of texts)
    for (const word of tokens(text ?? '')) {
      if (words.size === most) return [...words];
      if (isTelling(word)) words.add(word);
    }
  return [...words];
}

/** One word of a search: its beginning, or the whole word where it is in quotation marks. */
export type Wanted = { word: string; exact: boolean };

const MAX_WANTED = 8;

/** The words of a search. A word of one letter, or of nearly every text, narrows nothing. */
export function wantedWords(search: string): Wanted[] {
  const wanted = new Map<string, Wanted>();
  for (const [, quoted, plain = ''] of search.matchAll(/"([^"]*)"|([^"]+)/g))
    for (const word of tokens(quoted ?? plain))
      if (isTelling(word)) wanted.set(word, { word, exact: quoted !== undefined });
  return [...wanted.values()].slice(0, MAX_WANTED);
}

/** Two units of a text may be one character. */
const isTelling = (word: string): boolean =>
  (word.length > MIN_LENGTH || [...word].length >= MIN_LENGTH) && !COMMON.has(word);

/** Words are cut by code points: the table cannot hold half of a surrogate pair. */
const tokens = (text: string): string[] =>
  (text.normalize('NFKC').toLowerCase().match(WORD) ?? []).map((word) => cut(withoutTrailing('._:-', word)));

/** Dots, colons and dashes belong to a word only inside it. */
const WORD = /[\p{L}\p{M}\p{N}][\p{L}\p{M}\p{N}._:-]*/gu;

const cut = (word: string): string => (word.length <= MAX_LENGTH ? word : [...word].slice(0, MAX_LENGTH).join(''));
