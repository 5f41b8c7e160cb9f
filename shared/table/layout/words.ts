/** Searchable words of a record; each is a row. */
const MAX_WORDS = 6;
const MAX_WORD_LENGTH = 24;
const MIN_WORD_LENGTH = 2;
/** Words that match too many records to find one. */
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
 * The searchable words of texts, in order of appearance. Identifiers with dots, dashes or underscores
 * (`CVE-2021-44228`, `10.0.0.7`, `web-01`) stay one word, so that a search for their beginning finds them.
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

/** The words of a search, longest first. */
export const prefixesOf = (search: string): string[] =>
  [...new Set(tokens(search))].sort((a, b) => b.length - a.length).slice(0, MAX_WORDS);

const tokens = (text: string): string[] =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .split(/[^\p{L}\p{N}._:-]+/u)
    .map((word) => word.replace(/^[._:-]+|[._:-]+$/g, '').slice(0, MAX_WORD_LENGTH))
    .filter((word) => word.length > 0);
