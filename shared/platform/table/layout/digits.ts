import { parseNumber } from '../../runtime/dynamo.ts';

/*
 * Rows of the index are read from the bytes of the table's answer: a page may need 30,000 numbers of 38 digits, of each of which the
 * client would make four objects.
 */

/** A row of numbers: its sort key, and where in the answer each name begins and its digits begin and end, three places for each number. */
export type DigitRow = { sk: string; bytes: Buffer; places: number[] };

const code = (character: string): number => character.charCodeAt(0);
const [QUOTE, BACKSLASH, COLON, COMMA] = [code('"'), code('\\'), code(':'), code(',')];
const [OPEN, CLOSE, OPEN_LIST, CLOSE_LIST] = [code('{'), code('}'), code('['), code(']')];
const [NUMBER, TEXT, MASK] = [code('N'), code('S'), code('m')];
const [ZERO, LETTERS] = [code('0'), code('a')];

const PLACES = 3;
const nameOf = (bytes: Buffer, from = 0): string => bytes.toString('latin1', from, seek(bytes, QUOTE, from));

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
  const rows: DigitRow[] = [];
  let at = from + 1;
  while (at < bytes.length && bytes[at] !== CLOSE_LIST) {
    if (bytes[at++] !== OPEN) continue;
    const row: DigitRow = { sk: '', bytes, places: [] };
    at = readRow(row, at);
    rows.push(row);
  }
  return { rows, end: at + 1 };
}

/** Reads attributes such as `"m5":{"N":"36"}`. @returns the place behind the row */
function readRow(row: DigitRow, from: number): number {
  const { bytes, places } = row;
  let at = from;
  for (; at < bytes.length && bytes[at] !== CLOSE; at++) {
    if (bytes[at] !== QUOTE) continue;
    const nameEnd = endOfText(bytes, at);
    const kind = seek(bytes, QUOTE, nameEnd) + 1;
    const value = valueAt(bytes, kind);
    const end = endOfValue(bytes, value);
    if (bytes[kind] === NUMBER) places.push(at + 1, value + 1, end - 1);
    else if (bytes[kind] === TEXT && bytes.toString('latin1', at, nameEnd) === '"sk"')
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
const WORD = 2 ** WORD_BITS;
const [LOW, HIGH] = [WORD - 1, 1 / WORD];
/** A word times a million is exact in a double. */
const CHUNK = 6;
const CHUNK_FACTOR = 10 ** CHUNK;

/** Adds the masks `m0` to `mz` of a row to the words of a block. */
export function addMasks(words: number[], row: DigitRow): void {
  const { bytes, places } = row;
  for (let n = 0; n < places.length; n += PLACES) {
    const name = places[n] ?? 0;
    if (bytes[name] === MASK && bytes[name + 2] === QUOTE) addMask(words, row, n);
  }
}

function addMask(words: number[], row: DigitRow, n: number): void {
  const { bytes, places } = row;
  const to = places[n + 2] ?? 0;
  let at = places[n + 1] ?? 0;
  let [a, b, c, d] = [0, 0, 0, 0];
  /** Below zero after a character that is no digit. */
  let sign = 0;
  for (let end = at + ((to - at) % CHUNK || CHUNK); at < to; end += CHUNK) {
    let chunk = 0;
    for (; at < end; at++) {
      const digit = (bytes[at] ?? 0) - ZERO;
      sign |= digit | (9 - digit);
      chunk = chunk * 10 + digit;
    }
    const first = a * CHUNK_FACTOR + chunk;
    const second = b * CHUNK_FACTOR + Math.floor(first * HIGH);
    const third = c * CHUNK_FACTOR + Math.floor(second * HIGH);
    d = d * CHUNK_FACTOR + Math.floor(third * HIGH);
    a = first & LOW;
    b = second & LOW;
    c = third & LOW;
  }
  if (sign < 0) {
    addMask(words, inDigits(row, n), 0);
    return;
  }
  const word = WORDS * digitAt(bytes, (places[n] ?? 0) + 1);
  words[word] = (words[word] ?? 0) | a;
  words[word + 1] = (words[word + 1] ?? 0) | b;
  words[word + 2] = (words[word + 2] ?? 0) | c;
  words[word + 3] = (words[word + 3] ?? 0) | d;
}

/** A number that the table sends in another form, such as `1E+30`, in digits alone; 0 for a number below zero. */
function inDigits({ sk, bytes, places }: DigitRow, n: number): DigitRow {
  const value = BigInt(parseNumber(bytes.toString('latin1', places[n + 1], places[n + 2])));
  const name = `${nameOf(bytes, places[n])}"`;
  const text = name + (value > 0n ? value : 0n);
  return { sk, bytes: Buffer.from(text), places: [0, name.length, text.length] };
}

type Add = (nth: number, count: number) => void;

/** Reads the counts that share a number, of so many digits each, from the lowest. @param adds where those of a name go, if anywhere */
export function eachCount(row: DigitRow, digits: number, adds: (name: string) => Add | undefined): void {
  const { bytes, places } = row;
  for (let n = 0; n < places.length; n += PLACES) {
    const add = adds(nameOf(bytes, places[n]));
    if (add) addCounts(row, { n, digits, add });
  }
}

function addCounts(row: DigitRow, { n, digits, add }: { n: number; digits: number; add: Add }): void {
  const { bytes, places } = row;
  const from = places[n + 1] ?? 0;
  let [count, factor, nth] = [0, 1, 0];
  for (let at = (places[n + 2] ?? 0) - 1; at >= from; at--) {
    const digit = (bytes[at] ?? 0) - ZERO;
    if (digit < 0 || digit > 9) {
      addCounts(inDigits(row, n), { n: 0, digits, add });
      return;
    }
    count += digit * factor;
    factor *= 10;
    if (at > from && factor < 10 ** digits) continue;
    add(nth++, count);
    [count, factor] = [0, 1];
  }
}

/** A digit to the base 36. */
function digitAt(bytes: Buffer, at: number): number {
  const one = bytes[at] ?? 0;
  return one < LETTERS ? one - ZERO : one - LETTERS + 10;
}
