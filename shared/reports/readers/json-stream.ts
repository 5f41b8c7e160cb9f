import { MAX_LEVELS, MAX_VALUES } from '#shared/platform/runtime/json-cost.ts';
import { LIMITS, ReportError } from '../report/report.ts';
import { excessive, tooManyParts } from './json-limits.ts';

/**
 * Cuts a JSON document of any size into the values that matter, and leaves their parsing to `JSON.parse`: containers
 * that `descend` names are walked, everything below them comes out whole, in the order of the document. Only one value
 * is in memory at a time. This checks the structure above the values, and their depth and number; `parseValue` checks
 * the values themselves.
 */
export type JsonPath = readonly (string | number)[];
/** `opens`: not a value but the beginning of a container that is walked, so that an empty one is noticed too. */
export type JsonValue = { path: JsonPath; bytes: Uint8Array; offset: number; opens?: 'array' | 'object' };
type Descend = (path: JsonPath) => boolean;
type Frame = { array: boolean; key: string | number };
type Expect = 'value' | 'valueOrEnd' | 'key' | 'keyOrEnd' | 'colon' | 'commaOrEnd' | 'end';

const NOTHING = new Uint8Array(0);
const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

const isBlank = (byte: number) => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
const isOpening = (byte: number) => byte === OPEN_OBJECT || byte === OPEN_ARRAY;
const isClosing = (byte: number) => byte === CLOSE_OBJECT || byte === CLOSE_ARRAY;
const beginsValue = (byte: number) => !isClosing(byte) && byte !== COMMA && byte !== COLON;

/** `several`: the source is a stream of documents, as some Go programs write it, not a single one. */
export async function* splitJson(
  source: AsyncIterable<Uint8Array>,
  descend: Descend,
  { several = false } = {},
): AsyncGenerator<JsonValue> {
  const splitter = new JsonSplitter(descend, several);
  for await (const chunk of source) yield* splitter.write(chunk);
  splitter.end();
}

const PIECE_BYTES = 64 * 1024;

/** The same for a document that is in memory. */
export function* splitWhole(bytes: Uint8Array, descend: Descend): Generator<JsonValue> {
  const splitter = new JsonSplitter(descend, false);
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) yield* splitter.write(bytes.subarray(at, at + PIECE_BYTES));
  splitter.end();
}

/** A key of a walked container: each path below contains it. Some tools use the path of a file as a key. */
const MAX_KEY_BYTES = 4096;
/** Walked containers and their keys: a million takes a second, and as much of them is no report. */
const MAX_WALKED = 1_000_000;

/** A value costs a microsecond or more in each pass of a reader, whatever its length. */
const MANY_VALUES = 1_000_000;
/** Bytes of the document for each value on average. The least of the known reports has 80, most have hundreds. */
const LEAST_VALUE = 64;

const tooSmall = (): ReportError =>
  new ReportError(
    'invalid_report',
    `The first ${MANY_VALUES} parts of the report have less than ${LEAST_VALUE} bytes on average: name the format it has.`,
  );

/** Parses a value that `splitJson` gave. */
export function parseValue(value: JsonValue): unknown {
  try {
    return JSON.parse(Buffer.from(value.bytes.buffer, value.bytes.byteOffset, value.bytes.byteLength).toString());
  } catch {
    throw invalid(value.offset);
  }
}

function invalid(offset: number): ReportError {
  return new ReportError(
    'invalid_report',
    `The report is not well-formed JSON at or after byte ${offset}: send the file exactly as the tool wrote it.`,
  );
}

/** A value, a string or an escape may be cut at the end of any chunk, so the state between chunks is in fields. */
class JsonSplitter {
  readonly #descend: Descend;
  readonly #several: boolean;
  readonly #frames: Frame[] = [];
  #expect: Expect = 'value';
  #offset = 0;
  #capture: { kind: 'string' | 'container' | 'literal'; offset: number } | null = null;
  #depth = 0;
  /** Commas and opening brackets of the value that is captured. */
  #count = 0;
  #walked = 0;
  #values = 0;
  #inString = false;
  #escaped = false;
  #kept: Uint8Array[] = [];
  #keptBytes = 0;

  constructor(descend: Descend, several: boolean) {
    this.#descend = descend;
    this.#several = several;
  }

  /** One value after the other, because each has a path of its own. */
  *write(chunk: Uint8Array): Generator<JsonValue> {
    const values: JsonValue[] = [];
    let at = 0;
    while (at < chunk.length) {
      if (this.#capture) at = this.#continueCapture(chunk, at, values);
      else if (isBlank(chunk[at] ?? 0)) at += 1;
      else at += this.#structure(chunk[at] ?? 0, this.#offset + at, values);
      const value = values.pop();
      if (!value) continue;
      this.#values += 1;
      if (this.#values > MANY_VALUES && this.#offset + at < this.#values * LEAST_VALUE) throw tooSmall();
      yield value;
    }
    this.#offset += chunk.length;
  }

  end(): void {
    if (this.#expect === 'end') return;
    throw new ReportError(
      'truncated_report',
      `The report ends early, after ${this.#offset} bytes, in the middle of its JSON: let the tool finish, then send the whole file.`,
    );
  }

  /** Handles one byte between values. @returns how many bytes were used; 0 when a value begins here */
  #structure(byte: number, offset: number, values: JsonValue[]): 0 | 1 {
    if (this.#expect === 'end' && this.#several && beginsValue(byte)) this.#expect = 'value';
    const expect = this.#expect;
    if (isClosing(byte) && (expect === 'valueOrEnd' || expect === 'keyOrEnd' || expect === 'commaOrEnd')) {
      return this.#close(byte, offset);
    }
    if (expect === 'colon' && byte === COLON) this.#expect = 'value';
    else if (expect === 'commaOrEnd' && byte === COMMA) this.#next();
    else if (expect === 'value' || expect === 'valueOrEnd') return this.#begin(byte, offset, values);
    else if ((expect === 'key' || expect === 'keyOrEnd') && byte === QUOTE) return this.#startCapture('string', offset);
    else throw invalid(offset);
    return 1;
  }

  #begin(byte: number, offset: number, values: JsonValue[]): 0 | 1 {
    const path = this.#path();
    if (isOpening(byte) && this.#descend(path)) {
      const array = byte === OPEN_ARRAY;
      if (this.#frames.length === MAX_LEVELS) throw excessive('levels', `at byte ${offset}`);
      values.push({ path, bytes: NOTHING, offset, opens: array ? 'array' : 'object' });
      this.#walk();
      this.#frames.push({ array, key: array ? 0 : '' });
      this.#expect = array ? 'valueOrEnd' : 'keyOrEnd';
      return 1;
    }
    if (isOpening(byte)) return this.#startCapture('container', offset);
    return this.#startCapture(byte === QUOTE ? 'string' : 'literal', offset);
  }

  #close(byte: number, offset: number): 1 {
    const frame = this.#frames.pop();
    if (frame?.array !== (byte === CLOSE_ARRAY)) throw invalid(offset);
    this.#expect = this.#frames.length === 0 ? 'end' : 'commaOrEnd';
    return 1;
  }

  #next(): void {
    const frame = this.#frames.at(-1);
    if (typeof frame?.key === 'number') frame.key += 1;
    this.#expect = frame?.array ? 'value' : 'key';
  }

  #startCapture(kind: 'string' | 'container' | 'literal', offset: number): 0 {
    this.#capture = { kind, offset };
    this.#depth = 0;
    this.#count = 0;
    this.#inString = false;
    this.#escaped = false;
    return 0;
  }

  #continueCapture(chunk: Uint8Array, from: number, values: JsonValue[]): number {
    const end = this.#capture?.kind === 'literal' ? endOfLiteral(chunk, from) : this.#endOfNested(chunk, from);
    const part = chunk.subarray(from, end === -1 ? chunk.length : end);
    if (this.#keptBytes + part.length > LIMITS.rawValue) {
      throw excessive('values', this.#where());
    }
    if (end !== -1) {
      this.#finish(part, values);
      return end;
    }
    // Copied, because the source may reuse its buffer for the next chunk.
    this.#kept.push(Uint8Array.from(part));
    this.#keptBytes += part.length;
    return chunk.length;
  }

  /** The end of a string or container: after the quote or bracket that leaves no string and no bracket open. */
  #endOfNested(chunk: Uint8Array, from: number): number {
    for (let at = from; at < chunk.length; at += 1) {
      const byte = chunk[at] ?? 0;
      if (this.#escaped) this.#escaped = false;
      else if (this.#inString && byte === BACKSLASH) this.#escaped = true;
      else if (byte === QUOTE) this.#inString = !this.#inString;
      else if (this.#inString) continue;
      else if (isOpening(byte)) this.#enter();
      else if (isClosing(byte)) this.#depth -= 1;
      else if (byte === COMMA) this.#count += 1;
      if (this.#depth === 0 && !this.#inString) return at + 1;
    }
    if (this.#count > MAX_VALUES) throw excessive('values', this.#where());
    return -1;
  }

  #enter(): void {
    this.#depth += 1;
    this.#count += 1;
    if (this.#frames.length + this.#depth > MAX_LEVELS) throw excessive('levels', this.#where());
  }

  #where(): string {
    return `at byte ${this.#capture?.offset}`;
  }

  #finish(lastPart: Uint8Array, values: JsonValue[]): void {
    if (this.#count > MAX_VALUES) throw excessive('values', this.#where());
    const bytes = this.#kept.length === 0 ? lastPart : Buffer.concat([...this.#kept, lastPart]);
    const offset = this.#capture?.offset ?? 0;
    const value = { path: this.#path(), bytes, offset };
    this.#kept = [];
    this.#keptBytes = 0;
    this.#capture = null;
    const frame = this.#frames.at(-1);
    if (frame && (this.#expect === 'key' || this.#expect === 'keyOrEnd')) {
      if (bytes.length > MAX_KEY_BYTES)
        throw new ReportError('too_large', `A key of the JSON (at byte ${offset}) is over ${MAX_KEY_BYTES} bytes.`);
      this.#walk();
      frame.key = String(parseValue(value));
      this.#expect = 'colon';
      return;
    }
    this.#expect = frame ? 'commaOrEnd' : 'end';
    values.push(value);
  }

  #walk(): void {
    this.#walked += 1;
    if (this.#walked > MAX_WALKED) throw tooManyParts();
  }

  #path(): JsonPath {
    return this.#frames.map((frame) => frame.key);
  }
}

function endOfLiteral(chunk: Uint8Array, from: number): number {
  for (let at = from; at < chunk.length; at += 1) {
    const byte = chunk[at] ?? 0;
    if (byte === COMMA || isClosing(byte) || isBlank(byte)) return at;
  }
  return -1;
}
