import { parseNumber } from '../../runtime/dynamo.ts';

/*
 * Rows of the index are read from the bytes of the table's answer: a page may need 30,000 numbers of 38 digits, of each of which the
 * client would make four objects.
 */

/**
 * A row of numbers: its sort key, the bits of its masks `m0` to `mz` if it has any, and where in the answer each name begins and its
 * digits begin and end, three places for each number that is no mask.
 */
export type DigitRow = { sk: string; words: number[]; bytes: Buffer; places: number[] };

/** The bytes of an answer, and the same for reading four at once. */
type Answer = { bytes: Buffer; view: DataView };

const code = (character: string): number => character.charCodeAt(0);
const [QUOTE, BACKSLASH, COLON, COMMA] = [code('"'), code('\\'), code(':'), code(',')];
const [OPEN, CLOSE, OPEN_LIST, CLOSE_LIST] = [code('{'), code('}'), code('['), code(']')];
const [NUMBER, TEXT, MASK] = [code('N'), code('S'), code('m')];
const [COUNT, BETWEEN] = [code('n'), code('_')];
const [S, K] = [code('s'), code('k')];
const [ZERO, LETTERS] = [code('0'), code('a')];

const PLACES = 3;

/** Takes the rows out of an answer, a JSON object. @returns them, and the answer without them */
export function takeRows(answer: Buffer): { rows: DigitRow[]; rest: Buffer } {
  let name = seek(answer, QUOTE, 0);
  while (name < answer.length) {
    const nameEnd = endOfText(answer, name);
    const value = valueAt(answer, nameEnd);
    if (answer.toString('latin1', name, nameEnd) === '"Items"') {
      const { rows, end } = rowsAt(answer, value);
      return { rows, rest: Buffer.concat([answer.subarray(0, value), Buffer.from('[]'), answer.subarray(end)]) };
    }
    name = seek(answer, QUOTE, endOfValue(answer, value));
  }
  return { rows: [], rest: answer };
}

/** The rows in a JSON list of items. */
export const digitRows = (bytes: Buffer): DigitRow[] => rowsAt(bytes, 0).rows;

/** The rows in the JSON list that begins here. @returns the place behind it, too */
function rowsAt(bytes: Buffer, from: number): { rows: DigitRow[]; end: number } {
  const answer: Answer = { bytes, view: new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength) };
  const rows: DigitRow[] = [];
  let at = from + 1;
  while (at < bytes.length && bytes[at] !== CLOSE_LIST) {
    if (bytes[at++] !== OPEN) continue;
    const row: DigitRow = { sk: '', words: [], bytes, places: [] };
    at = readRow(row, answer, at);
    rows.push(row);
  }
  return { rows, end: at + 1 };
}

/** Reads attributes such as `"m5":{"N":"36"}`. @returns the place behind the row */
function readRow(row: DigitRow, answer: Answer, from: number): number {
  const { bytes } = answer;
  let at = from;
  for (; at < bytes.length && bytes[at] !== CLOSE; at++) {
    if (bytes[at] !== QUOTE) continue;
    const nameEnd = endOfText(bytes, at);
    const kind = seek(bytes, QUOTE, nameEnd) + 1;
    const value = valueAt(bytes, kind);
    const isMask = bytes[kind] === NUMBER && bytes[at + 1] === MASK && nameEnd === at + 4;
    const end = isMask ? readMask(row, answer, { name: at + 1, from: value + 1 }) : endOfValue(bytes, value);
    if (bytes[kind] === NUMBER && !isMask) row.places.push(at + 1, value + 1, end - 1);
    else if (bytes[kind] === TEXT && nameEnd === at + 4 && bytes[at + 1] === S && bytes[at + 2] === K)
      row.sk = JSON.parse(bytes.toString('utf8', value, end));
    at = seek(bytes, CLOSE, end);
  }
  return at + 1;
}

function seek(bytes: Buffer, wanted: number, from: number): number {
  let at = from;
  while (at < bytes.length && bytes[at] !== wanted) at++;
  return at;
}

/** The place of a name's value. */
function valueAt(bytes: Buffer, nameEnd: number): number {
  let at = seek(bytes, COLON, nameEnd) + 1;
  while ((bytes[at] ?? QUOTE) <= code(' ')) at++;
  return at;
}

/** The place behind a text. */
function endOfText(bytes: Buffer, from: number): number {
  let at = from + 1;
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
  return at + 1;
}

/** The place behind a value. */
function endOfValue(bytes: Buffer, from: number): number {
  if (bytes[from] === QUOTE) return endOfText(bytes, from);
  let depth = 0;
  let at = from;
  for (; at < bytes.length; at++) {
    const one = bytes[at];
    if (one === QUOTE) at = endOfText(bytes, at) - 1;
    else if (one === OPEN || one === OPEN_LIST) depth++;
    else if (one === COMMA && depth === 0) return at;
    else if ((one === CLOSE || one === CLOSE_LIST) && --depth <= 0) return depth < 0 ? at : at + 1;
  }
  return at;
}

/** A mask of 120 ordinals is four words of 30 bits, the lowest first. */
export const WORD_BITS = 30;
export const WORDS = 4;
/** Those of `m0` to `mz`. */
const ROW_WORDS = 36 * WORDS;

/** Adds a mask to the words of its row. @returns the place behind its digits and the quote */
function readMask(row: DigitRow, answer: Answer, { name, from }: { name: number; from: number }): number {
  const { bytes } = answer;
  // on the heap, where a short array is a tenth of the cost of a typed one
  if (row.words.length === 0) row.words = new Array<number>(ROW_WORDS).fill(0);
  const word = WORDS * digitAt(bytes, name + 1);
  const to = addDigits(row.words, word, answer, from);
  if (bytes[to] === QUOTE && to > from) return to + 1;
  const end = endOfText(bytes, from - 1);
  const value = positive(bytes.toString('latin1', from, end - 1));
  for (let n = 0; n < WORDS; n++)
    row.words[word + n] = Number(BigInt.asUintN(WORD_BITS, value >> BigInt(n * WORD_BITS)));
  return end;
}

/** Eight digits are added at once to words of 24 bits, so that each product is exact in a double. */
const AT_ONCE = 8;
const [FACTOR, LOW, HIGH] = [10 ** AT_ONCE, 2 ** 24 - 1, 2 ** -24];

/** Adds the number that begins here to the four words of its mask. @returns the place behind its digits */
function addDigits(words: number[], word: number, { bytes, view }: Answer, from: number): number {
  let at = from;
  let [a, b, c, d, e] = [0, 0, 0, 0, 0];
  for (let factor = FACTOR; factor === FACTOR; ) {
    let chunk = at + AT_ONCE <= bytes.length ? eightDigits(view, at) : -1;
    if (chunk >= 0) at += AT_ONCE;
    else
      for (chunk = 0, factor = 1; isDigit(bytes[at]); at++) {
        chunk = chunk * 10 + (bytes[at] ?? 0) - ZERO;
        factor *= 10;
      }
    const first = a * factor + chunk;
    const second = b * factor + Math.floor(first * HIGH);
    const third = c * factor + Math.floor(second * HIGH);
    const fourth = d * factor + Math.floor(third * HIGH);
    e = e * factor + Math.floor(fourth * HIGH);
    a = first & LOW;
    b = second & LOW;
    c = third & LOW;
    d = fourth & LOW;
  }
  words[word] = a | ((b & 0x3f) << 24);
  words[word + 1] = (b >> 6) | ((c & 0xfff) << 18);
  words[word + 2] = (c >> 12) | ((d & 0x3ffff) << 12);
  words[word + 3] = (d >> 18) | (e << 6);
  return at;
}

/** Of the characters of a number and the quote behind it, only digits have this upper half. */
const isDigit = (one = 0): boolean => one >> 4 === 3;
const [UPPER, DIGITS] = [0xf0f0f0f0 | 0, 0x30303030];

/** The number of eight digits, -1 if one of them is none. */
function eightDigits(view: DataView, at: number): number {
  const high = view.getInt32(at, true);
  const low = view.getInt32(at + 4, true);
  return ((high & UPPER) ^ DIGITS) | ((low & UPPER) ^ DIGITS) ? -1 : fourDigits(high) * 10_000 + fourDigits(low);
}

/** The number of four digits, the first in the lowest byte: neighbours are added twice. */
function fourDigits(four: number): number {
  const pairs = (Math.imul(four & 0x0f0f0f0f, 0xa01) >>> 8) & 0x00ff00ff;
  return Math.imul(pairs, 0x640001) >>> 16;
}

/** A number that the table sends in another form, such as `1E+30`; 0 for a number below zero. */
function positive(text: string): bigint {
  const value = BigInt(parseNumber(text));
  return value > 0n ? value : 0n;
}

/**
 * Adds the counts of a row to those of their cells. So many counts of so many digits each share a number, whose name is `n`, the cell to the
 * base 36, `_` and its place among the numbers of the cell.
 */
export function addCounts(
  { bytes, places }: DigitRow,
  { digits, perNumber }: { digits: number; perNumber: number },
  countsOf: (cell: number) => number[],
): void {
  for (let n = 0; n < places.length; n += PLACES) {
    const name = places[n] ?? 0;
    if (bytes[name] !== COUNT) continue;
    const between = seek(bytes, BETWEEN, name);
    const counts = countsOf(numberAt(bytes, name + 1, between, 36));
    const first = perNumber * numberAt(bytes, between + 1, seek(bytes, QUOTE, between));
    addNumber(counts, first, { bytes, from: places[n + 1] ?? 0, to: places[n + 2] ?? 0, digits });
  }
}

type Packed = { bytes: Buffer; from: number; to: number; digits: number };

/** Adds the counts in a number, from the lowest. */
function addNumber(counts: number[], first: number, { bytes, from, to, digits }: Packed): void {
  for (let at = from; at < to; at++) {
    if (isDigit(bytes[at])) continue;
    const text = Buffer.from(String(positive(bytes.toString('latin1', from, to))));
    addNumber(counts, first, { bytes: text, from: 0, to: text.length, digits });
    return;
  }
  let place = first;
  for (let end = to; end > from; end -= digits) {
    counts[place] = (counts[place] ?? 0) + numberAt(bytes, Math.max(from, end - digits), end);
    place++;
  }
}

function numberAt(bytes: Buffer, from: number, to: number, base = 10): number {
  let number = 0;
  for (let at = from; at < to; at++) number = number * base + digitAt(bytes, at);
  return number;
}

/** A digit to the base 36. */
function digitAt(bytes: Buffer, at: number): number {
  const one = bytes[at] ?? 0;
  return one < LETTERS ? one - ZERO : one - LETTERS + 10;
}
