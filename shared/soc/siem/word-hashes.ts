import { hashOf, NO_HASH, withCode } from './word-filter.ts';
import { addWords, type Described, MAX_LENGTH, MAX_WORDS, textsOf } from './words.ts';

/** The kinds of ASCII characters, in the order in which they divide a text: runs end at all but letters, words at the last kind alone. */
const [LETTER, SIGN, PART, BETWEEN] = [0, 1, 2, 3] as const;
const ASCII = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code));
const KINDS = Uint8Array.from(ASCII, (one) => {
  if (/[a-z\d]/i.test(one)) return LETTER;
  if (/[\s"'`,;|()[\]{}<>=&?!]/.test(one)) return BETWEEN;
  return /[:/\\@]/.test(one) ? PART : SIGN;
});
const IS_AROUND = Uint8Array.from(ASCII, (one) => ('.:/\\@#*_-'.includes(one) ? 1 : 0));
const LOWER = Uint8Array.from(ASCII, (one) => one.toLowerCase().charCodeAt(0));
const BEYOND_ASCII = /[^\0-\x7f]/;

/** The hashes of `wordsOf`. A text of ASCII is read without making its words, which took most of the time. */
export function wordHashes(event: Described): Set<number> {
  const hashes = new Set<number>();
  const words = {
    get size() {
      return hashes.size;
    },
    add: (word: string) => hashes.add(hashOf(word)),
  };
  for (const text of textsOf(event))
    if (BEYOND_ASCII.test(text)) addWords(words, text);
    else addOfAscii(text, hashes);
  return hashes;
}

function addOfAscii(text: string, hashes: Set<number>): void {
  const add = (begin: number, end: number) => {
    let [from, to] = [begin, end];
    while (from < to && IS_AROUND[text.charCodeAt(from)] === 1) from += 1;
    while (to > from && IS_AROUND[text.charCodeAt(to - 1)] === 1) to -= 1;
    if (from === to || to - from > MAX_LENGTH) return;
    let hash = NO_HASH;
    for (let at = from; at < to; at++) hash = withCode(hash, LOWER[text.charCodeAt(at)] ?? 0);
    hashes.add(hash);
  };
  /** Adds what stands between characters of a kind, or of a later one. */
  const addPieces = (begin: number, end: number, least: number) => {
    let from = begin;
    for (let at = begin; at <= end; at++) {
      if (at < end && (KINDS[text.charCodeAt(at)] ?? 0) < least) continue;
      if (at > from) add(from, at);
      from = at + 1;
    }
  };
  let [from, most] = [0, 0];
  for (let at = 0; at <= text.length; at++) {
    const kind = at < text.length ? (KINDS[text.charCodeAt(at)] ?? 0) : BETWEEN;
    if (kind !== BETWEEN) {
      if (kind > most) most = kind;
      continue;
    }
    if (hashes.size >= MAX_WORDS) return;
    if (at > from) add(from, at);
    if (most >= PART) addPieces(from, at, PART);
    if (most >= SIGN) addPieces(from, at, SIGN);
    [from, most] = [at + 1, 0];
  }
}
