import type { SiemEvent } from './event.ts';

/** A search does not find longer words as a whole. */
export const MAX_LENGTH = 80;

/** Between words: space, quotes, brackets and the signs of lists. */
const BETWEEN = /[\s"'`,;|()[\]{}<>=&?!]+/;
/** Between the parts of a path, URL, address with a port, or name with a domain. */
const PARTS = /[:/\\@]+/;
const LETTERS = /[^\p{L}\p{N}]+/u;
const PLAIN = /^[a-z0-9]*$/;
/** Signs around a word, as at the end of a sentence. */
const AROUND = new Set('.:/\\@#*_-');

export type Described = Pick<
  SiemEvent,
  'host' | 'user' | 'action' | 'category' | 'product' | 'service' | 'message' | 'fields'
>;

/** The words by which a search finds an event: those of its message and fields. */
export function wordsOf(event: Described): Set<string> {
  const words = new Set<string>();
  for (const text of textsOf(event)) addWords(words, text);
  return words;
}

/** The texts of an event that have its words, in their order. */
export function textsOf({ host, user, action, category, product, service, message, fields }: Described): string[] {
  const texts = [message, host, user, action, category, product, service].filter((text) => text !== null);
  for (const name in fields) {
    const value = fields[name];
    if (Array.isArray(value)) texts.push(...value);
    else if (value !== undefined) texts.push(String(value));
  }
  return texts;
}

type Words = { add(word: string): unknown };

/**
 * Adds the words of a text: whole (`10.0.3.7`, `/etc/passwd`), their parts (`passwd`,
 * the address before a port) and their runs of letters and digits. In lower case.
 */
export function addWords(words: Words, text: string): void {
  for (const word of text.toLowerCase().split(BETWEEN)) {
    if (word === '') continue;
    add(words, word);
    if (PLAIN.test(word)) continue;
    const parts = word.split(PARTS);
    if (parts.length > 1) for (const part of parts) add(words, part);
    for (const run of word.split(LETTERS)) add(words, run);
  }
}

function add(words: Words, word: string): void {
  const bare = trimmed(word);
  if (bare !== '' && bare.length <= MAX_LENGTH) words.add(bare);
}

function trimmed(word: string): string {
  let [from, to] = [0, word.length];
  while (from < to && AROUND.has(word.charAt(from))) from += 1;
  while (to > from && AROUND.has(word.charAt(to - 1))) to -= 1;
  return word.slice(from, to);
}

/** The words of a search in the form of events' words. */
export const searchedWords = (text: string): string[] => [
  ...new Set(text.toLowerCase().split(BETWEEN).map(trimmed).filter(Boolean)),
];

/** The names under which a filter has the host and the user of an event: `=` is in no word. */
export const hostMark = (host: string): string => `host=${host.toLowerCase()}`;
export const userMark = (user: string): string => `user=${user.toLowerCase()}`;

/** The name of both in one event: where many events have the host and many the user, few may have the two. */
export const pairMark = (host: string, user: string): string => `${hostMark(host)} ${userMark(user)}`;
