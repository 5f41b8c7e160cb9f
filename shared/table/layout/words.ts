/** At most this many words of a record are searchable, so that a record's rows stay few. */
const MAX_WORDS = 6;
const MAX_WORD_LENGTH = 24;
const MIN_WORD_LENGTH = 2;
/** Words that would match everything and so find nothing. */
const COMMON = new Set([
  'the',
  'of',
  'in',
  'to',
  'and',
  'or',
  'an',
  'is',
  'on',
  'by',
  'for',
  'with',
  'via',
  'at',
  'be',
]);

/**
 * The searchable words of some texts, in order of appearance. Identifiers with dots, dashes or underscores
 * (`CVE-2021-44228`, `10.0.0.7`, `web-01`) stay one word, so that their beginning finds them.
 */
export function wordsOf(texts: readonly (string | null | undefined)[]): string[] {
  const words = new Set<string>();
  for (const text of texts) {
    for (const word of tokens(text ?? '')) {
      if (word.length >= MIN_WORD_LENGTH && !COMMON.has(word)) words.add(word);
      if (words.size === MAX_WORDS) return [...words];
    }
  }
  return [...words];
}

/** The prefixes that a search string asks for, longest first: the most telling word is read first. */
export const prefixesOf = (search: string): string[] =>
  [...new Set(tokens(search))].sort((a, b) => b.length - a.length).slice(0, MAX_WORDS);

const tokens = (text: string): string[] =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .split(/[^\p{L}\p{N}._:-]+/u)
    .map((word) => word.replace(/^[._:-]+|[._:-]+$/g, '').slice(0, MAX_WORD_LENGTH))
    .filter((word) => word.length > 0);
