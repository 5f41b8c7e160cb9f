/*
 * A Bloom filter: a word is certainly not in the set, or it may be. With ten bits and seven hashes a word, one of 120
 * absent words seems to be in the set.
 */

const BITS_PER_WORD = 10;
const HASHES = 7;
const LEAST_BITS = 512;
/** 64 KB: beyond 50,000 words a segment's filter lets more words pass, and a search reads the segment. */
const MAX_BITS = 2 ** 19;

/** The number of bits is a power of two, so that a hash becomes a place by a mask. */
const bitsFor = (words: number): number =>
  Math.min(MAX_BITS, Math.max(LEAST_BITS, 2 ** Math.ceil(Math.log2(words * BITS_PER_WORD))));

/** More words make no larger filter. */
const MAX_WORDS = MAX_BITS / BITS_PER_WORD;

/** The last words that were added lie here by their hash: most words of a segment are in many of its events. */
const LAST = 2 ** 13;

type WordFilter = { add(word: string): void; addHash(hash: number): void; bits(): Uint8Array };

/** A filter to which words are added, or their hashes. Words that make no larger filter are in no memory but its bits. */
export function newWordFilter(): WordFilter {
  const words = new Set<number>();
  const last = new Int32Array(LAST);
  last[0] = 1; // a place is empty with a hash that belongs to another place
  let largest: Uint8Array | undefined;
  const addHash = (hash: number) => {
    const place = hash & (LAST - 1);
    if (last[place] === hash) return;
    last[place] = hash;
    words.add(hash);
    if (words.size <= MAX_WORDS) return;
    largest = withWords(largest ?? new Uint8Array(MAX_BITS / 8), words);
    words.clear();
  };
  return {
    add: (word) => addHash(hashOf(word)),
    addHash,
    bits: () => withWords(largest ?? new Uint8Array(bitsFor(Math.max(1, words.size)) / 8), words),
  };
}

function withWords(filter: Uint8Array, words: ReadonlySet<number>): Uint8Array {
  const bits = filter.length * 8;
  for (const first of words) {
    const step = stepOf(first);
    for (let i = 0; i < HASHES; i++) {
      const place = (first + Math.imul(i, step)) & (bits - 1);
      filter[place >> 3] = (filter[place >> 3] ?? 0) | (1 << (place & 7));
    }
  }
  return filter;
}

/** Whether the filter's set may have the word. */
export function mayHave(filter: Uint8Array, word: string): boolean {
  const bits = filter.length * 8;
  const first = hashOf(word);
  const step = stepOf(first);
  for (let i = 0; i < HASHES; i++) {
    const place = (first + Math.imul(i, step)) & (bits - 1);
    if (((filter[place >> 3] ?? 0) & (1 << (place & 7))) === 0) return false;
  }
  return true;
}

/** FNV-1a of 32 bits, a character after the other. */
export const NO_HASH = 0x811c9dc5 | 0;
export const withCode = (hash: number, code: number): number => Math.imul(hash ^ code, 0x01000193);

export function hashOf(word: string): number {
  let hash = NO_HASH;
  for (let i = 0; i < word.length; i++) hash = withCode(hash, word.charCodeAt(i));
  return hash;
}

/** A second hash that is mixed from the first (Kirsch and Mitzenmacher: two are enough for any number). */
function stepOf(hash: number): number {
  let mixed = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) | 1;
}
