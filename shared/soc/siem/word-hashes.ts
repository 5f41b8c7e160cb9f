import { hashOf, NO_HASH, withCode } from './word-filter.ts';
import { addWords, type Described, MAX_LENGTH, textsOf } from './words.ts';

/** The kinds of ASCII characters, in the order in which they divide a text: a run of letters ends at all others, a word at the last kind alone. */
const [LETTER, SIGN, PART, BETWEEN] = [0, 1, 2, 3] as const;
const ASCII = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code));
const KINDS = Uint8Array.from(ASCII, (one) => {
  if (/[a-z\d]/i.test(one)) return LETTER;
  if (/[\s"'`,;|()[\]{}<>=&?!]/.test(one)) return BETWEEN;
  return /[:/\\@]/.test(one) ? PART : SIGN;
});
const IS_AROUND = Uint8Array.from(ASCII, (one) => ('.:/\\@#*_-'.includes(one) ? 1 : 0));
const LOWER = Uint8Array.from(ASCII, (one) => one.toLowerCase().charCodeAt(0));

type Add = (hash: number) => void;

/**
 * Adds the hashes of the words by which a search finds an event (words.ts). A text of ASCII is read once, without making
 * its words, which took most of the time.
 */
export function addWordHashes(event: Described, add: Add): void {
  const words = { add: (word: string) => add(hashOf(word)) };
  for (const text of textsOf(event)) if (!addOfAscii(text, add)) addWords(words, text);
}

/** The hash of what a text has had since its beginning, up to the last character that is not around words. */
type Piece = { hash: number; length: number; trimmed: number; trimmedLength: number };

const newPiece = (): Piece => ({ hash: NO_HASH, length: 0, trimmed: NO_HASH, trimmedLength: 0 });

function extend(piece: Piece, code: number, isAround: boolean): void {
  if (isAround && piece.length === 0) return;
  piece.hash = withCode(piece.hash, code);
  piece.length += 1;
  if (isAround) return;
  piece.trimmed = piece.hash;
  piece.trimmedLength = piece.length;
}

function end(piece: Piece, add?: Add): void {
  if (piece.trimmedLength > 0 && piece.trimmedLength <= MAX_LENGTH) add?.(piece.trimmed);
  piece.hash = NO_HASH;
  piece.length = 0;
  piece.trimmedLength = 0;
}

/** @returns false for a text with other characters, some of whose words are added then */
function addOfAscii(text: string, add: Add): boolean {
  const [word, part, run] = [newPiece(), newPiece(), newPiece()];
  /** The kind of the signs that the word has. */
  let most: number = LETTER;
  const endWord = () => {
    end(word, add);
    end(part, most >= PART ? add : undefined);
    end(run, most >= SIGN ? add : undefined);
    most = LETTER;
  };
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code > 127) return false;
    const kind = KINDS[code] ?? BETWEEN;
    if (kind === LETTER) {
      const lower = LOWER[code] ?? code;
      extend(word, lower, false);
      extend(part, lower, false);
      extend(run, lower, false);
      continue;
    }
    if (kind === BETWEEN) {
      endWord();
      continue;
    }
    if (kind > most) most = kind;
    end(run, add);
    if (kind === PART) end(part, add);
    const isAround = IS_AROUND[code] === 1;
    extend(word, code, isAround);
    if (kind === SIGN) extend(part, code, isAround);
  }
  endWord();
  return true;
}
