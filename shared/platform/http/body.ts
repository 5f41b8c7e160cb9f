import type { Request } from '@middy/core';
import { ApiError, invalid } from '../runtime/errors.ts';
import { excessOf } from '../runtime/json-cost.ts';
import { halfCharacter } from '../runtime/storable.ts';
import type { Incoming } from './incoming.ts';

/** A request body is at most 4 MB; larger reports go through an upload. */
export const MAX_BODY_BYTES = 4 * 1024 * 1024;

/** The same for a caller without a credential. A machine that links itself sends a few KB. */
export const MAX_PUBLIC_BODY_BYTES = 64 * 1024;

/** The table keeps 32 levels; a record may add two of its own. */
const MAX_DEPTH = 30;

/** The step of the pipeline that parses the body: a form where the route takes one, otherwise JSON. That of a signed route waits for its proof. */
export const bodyParser = {
  before(request: Request<Incoming>): void {
    const { event } = request;
    assertTaken(event);
    if (!event.match.route.signed) event.value = valueIn(event);
  },
};

/** The parsed body; undefined without one. @throws malformed_json, validation_failed and others */
export function valueIn(event: Incoming): unknown {
  const text = event.isBase64Encoded ? bytesOf(event).toString() : event.sent;
  if (text === '') return undefined;
  const { file } = event.match.route;
  if (file?.isFile(event)) return file.valueIn(event);
  return isForm(event) ? parseForm(text) : parseJson(event, text);
}

/** Refuses a body by its size and its coding, before it is read. */
function assertTaken(event: Incoming): void {
  const { sent, isBase64Encoded, headers, match } = event;
  const isPublic = match.route.access === 'public' && !match.route.signed;
  if (
    Buffer.byteLength(sent, isBase64Encoded ? 'base64' : 'utf8') > (isPublic ? MAX_PUBLIC_BODY_BYTES : MAX_BODY_BYTES)
  )
    throw new ApiError('payload_too_large', isPublic ? TOO_LARGE_IN_PUBLIC : TOO_LARGE);
  const { 'content-encoding': coding = '' } = headers;
  if (sent !== '' && !/^(identity)?$/i.test(coding.trim()) && !match.route.file?.isGzipped(event))
    throw new ApiError('unsupported_media_type', `Send the body without the Content-Encoding ${coding}.`);
}

/** The body as it came. */
export const bytesOf = ({ sent, isBase64Encoded }: Incoming): Buffer =>
  Buffer.from(sent, isBase64Encoded ? 'base64' : 'utf8');

const TOO_LARGE = 'The body is over 4 MB. Send large reports through an upload.';
const TOO_LARGE_IN_PUBLIC = 'The body is over 64 KB: send only the fields of this operation.';

/** RFC 9110, section 8.3.1: upper and lower case mean the same. */
const mediaTypeOf = ({ headers }: Incoming): string => (headers['content-type'] ?? '').trim().toLowerCase();

const isForm = (event: Incoming): boolean =>
  event.match.route.form === true && mediaTypeOf(event).startsWith('application/x-www-form-urlencoded');

/** RFC 6749, section 3.2: a parameter without a value counts as left out, and none may be given twice. */
function parseForm(text: string): object {
  const fields = [...new URLSearchParams(text)].filter(([, value]) => value !== '');
  const form = new Map<string, string>();
  for (const [name, value] of fields) {
    if (form.has(name)) throw new ApiError('invalid_request', `Send ${name} only once.`);
    form.set(name, value);
  }
  return Object.fromEntries(form);
}

function parseJson(event: Incoming, text: string): unknown {
  const mediaType = mediaTypeOf(event);
  if (mediaType !== '' && !/^application\/([\w.+-]+\+)?json\b/.test(mediaType))
    throw new ApiError(
      'unsupported_media_type',
      `Send JSON (Content-Type: application/json), not ${event.headers['content-type']}.`,
    );
  if (excessOf(text, MAX_DEPTH, Number.POSITIVE_INFINITY))
    throw new ApiError('validation_failed', `The body is nested more than ${MAX_DEPTH} levels deep: make it flatter.`);
  const value = jsonOf(text);
  assertPlain(value);
  const half = halfCharacter(value);
  if (half) throw invalid(half.path.join('.') || 'body', half.message);
  event.match.route.file?.assertFields(value);
  return value;
}

/** The message of a syntax error quotes the body, which may hold a secret: only its position is repeated. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const position = / at position \d+( \(line \d+ column \d+\))?/.exec((error as Error).message)?.[0] ?? '';
    throw new ApiError('malformed_json', `The body is not JSON${position}.`);
  }
}

/** Refuses names that mean something else to JavaScript. A reviver takes longer: docs/decisions/0014. */
function assertPlain(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    for (const inner of value) assertPlain(inner);
    return;
  }
  for (const name of Object.keys(value)) {
    const inner: unknown = Reflect.get(value, name);
    const isReserved = name === '__proto__' || (name === 'constructor' && Object.hasOwn(Object(inner), 'prototype'));
    if (isReserved)
      throw new ApiError('validation_failed', `The body has a field ${name}, which is reserved: leave it out.`);
    assertPlain(inner);
  }
}
