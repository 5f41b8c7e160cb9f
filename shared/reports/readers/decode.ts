import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { ReportError } from '../report/report.ts';

/** The wrapping of a report's bytes. An upload is `utf8`, whatever it holds: its first bytes show gzip. */
export const reportEncodings = ['utf8', 'base64', 'gzip+base64'] as const;
export type ReportEncoding = (typeof reportEncodings)[number];

const MB = 1024 * 1024;

/** Largest decoded report, in bytes. */
export const MAX_INLINE_BYTES = 64 * MB;
export const MAX_UPLOAD_BYTES = 1024 * MB;

/** gzip reaches 1,032 : 1 on zeros; reports with much repetition stay below 150 : 1. Small reports are not checked. */
const MAX_EXPANSION = 300;
const EXPANSION_CHECKED_FROM = 8 * MB;

/** Small next to a report, large enough that the cost of a chunk does not show. */
const CHUNK_BYTES = 256 * 1024;

type DecodeOptions = { encoding: ReportEncoding; maxBytes: number };

/** The bytes of a report that came inside a request's body. */
export function decodeContent(encoding: ReportEncoding, content: string): AsyncGenerator<Uint8Array> {
  return decodeReport({ encoding, maxBytes: MAX_INLINE_BYTES }, slices(Buffer.from(content)));
}

/** Decodes a report as a stream: holds one chunk at a time, and stops at the first byte over a limit. */
export async function* decodeReport(
  decoding: DecodeOptions,
  source: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const plain = decoding.encoding === 'utf8' ? source : fromBase64(source);
  const { gzipped, bytes } = await sniff(plain);
  if (decoding.encoding === 'gzip+base64' && !gzipped) throw notGzip();
  let size = 0;
  for await (const chunk of gzipped ? gunzip(bytes) : bytes) {
    size += chunk.length;
    if (size > decoding.maxBytes) throw tooLarge(decoding.maxBytes);
    yield chunk;
  }
}

async function* slices(content: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < content.length; at += CHUNK_BYTES) yield content.subarray(at, at + CHUNK_BYTES);
}

/** Both alphabets, with or without padding and line breaks. Only the last group of four may hold padding. */
async function* fromBase64(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let rest = '';
  for await (const chunk of source) {
    const text = rest + Buffer.from(chunk).toString('latin1').replace(/\s+/g, '');
    const whole = Math.max(Math.ceil(text.length / 4) - 1, 0) * 4;
    rest = text.slice(whole);
    if (!/^[\w+/-]*$/.test(text.slice(0, whole))) throw notBase64();
    if (whole > 0) yield Buffer.from(text.slice(0, whole), 'base64');
  }
  if (rest === '') return;
  if (!/^[\w+/-]{2,4}$/.test(rest.replace(/={1,2}$/, ''))) throw notBase64();
  yield Buffer.from(rest, 'base64');
}

/** No report begins with gzip's two bytes, so the bytes decide, not the declared encoding. */
async function sniff(
  source: AsyncIterable<Uint8Array>,
): Promise<{ gzipped: boolean; bytes: AsyncGenerator<Uint8Array> }> {
  const iterator = source[Symbol.asyncIterator]();
  let head: Uint8Array = new Uint8Array(0);
  let ended = false;
  while (head.length < 2 && !ended) {
    const { value, done } = await iterator.next();
    if (done) ended = true;
    else head = Buffer.concat([head, value]);
  }
  return { gzipped: head[0] === 0x1f && head[1] === 0x8b, bytes: continued(head, iterator) };
}

async function* continued(head: Uint8Array, iterator: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    if (head.length > 0) yield head;
    for (let next = await iterator.next(); !next.done; next = await iterator.next()) yield next.value;
  } finally {
    await iterator.return?.();
  }
}

async function* gunzip(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let taken = 0;
  let given = 0;
  const counted = async function* () {
    for await (const chunk of source) {
      taken += chunk.length;
      yield chunk;
    }
  };
  const inflated = createGunzip({ chunkSize: CHUNK_BYTES });
  // Errors and an early end travel both ways; they surface in the loop below.
  pipeline(Readable.from(counted()), inflated, () => undefined);
  try {
    for await (const chunk of inflated) {
      given += chunk.length;
      if (given > EXPANSION_CHECKED_FROM && given > taken * MAX_EXPANSION) throw bomb();
      yield chunk;
    }
  } catch (error) {
    throw fromZlib(error);
  }
}

function fromZlib(error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'Z_BUF_ERROR') {
    return new ReportError('truncated_report', 'The gzip data end early: send the whole file.');
  }
  return code.startsWith('Z_')
    ? new ReportError('invalid_report', 'The gzip data are damaged: compress the file again.')
    : error;
}

function notBase64(): ReportError {
  return new ReportError(
    'invalid_report',
    'The content is not base64: encode the whole file, or name the encoding it has.',
  );
}

function notGzip(): ReportError {
  return new ReportError(
    'invalid_report',
    'The content is base64 but not gzip: compress it, or name base64 as its encoding.',
  );
}

function tooLarge(maxBytes: number): ReportError {
  return new ReportError(
    'too_large',
    `The report is over ${maxBytes / MB} MB once decoded: split the scan${maxBytes < MAX_UPLOAD_BYTES ? ' or use an upload' : ''}.`,
  );
}

function bomb(): ReportError {
  return new ReportError(
    'too_large',
    `The gzip data expand over ${MAX_EXPANSION} times, more than any report does: send the report uncompressed.`,
  );
}
