import type { Request } from '@middy/core';
import { ApiError, invalid } from '../runtime/errors.ts';
import { halfCharacter } from '../runtime/storable.ts';
import type { Incoming } from './incoming.ts';
import type { Route } from './route.ts';

/** A request body is at most 4 MB; larger reports go through an upload. */
export const MAX_BODY_BYTES = 4 * 1024 * 1024;

/** The same for a caller without a credential. A machine that links itself sends a few KB. */
export const MAX_PUBLIC_BODY_BYTES = 64 * 1024;

/** The table keeps 32 levels; a record may add two of its own. */
const MAX_DEPTH = 30;

/** The step of the pipeline that parses the body: a form where the route takes one, otherwise JSON. */
export const bodyParser = {
  before(request: Request<Incoming>): void {
    const { event } = request;
    const text = textOf(event);
    if (text === '') return;
    if (isFile(event)) event.value = fileIn(event);
    else event.value = isForm(event) ? parseForm(text) : parseJson(event, text);
  },
};

function textOf(event: Incoming): string {
  const { sent, isBase64Encoded, headers, match } = event;
  const isPublic = match.route.access === 'public';
  if (
    Buffer.byteLength(sent, isBase64Encoded ? 'base64' : 'utf8') > (isPublic ? MAX_PUBLIC_BODY_BYTES : MAX_BODY_BYTES)
  )
    throw new ApiError('payload_too_large', isPublic ? TOO_LARGE_IN_PUBLIC : TOO_LARGE);
  const { 'content-encoding': coding = '' } = headers;
  if (sent !== '' && !/^(identity)?$/i.test(coding.trim()) && !isGzipped(event))
    throw new ApiError('unsupported_media_type', `Send the body as it is, not in the Content-Encoding ${coding}.`);
  return isBase64Encoded ? Buffer.from(sent, 'base64').toString() : sent;
}

const TOO_LARGE = 'The body is over 4 MB. Send large reports through an upload.';
const TOO_LARGE_IN_PUBLIC = 'The body is over 64 KB: send only the fields of this operation.';

/** RFC 9110, section 8.3.1: upper and lower case mean the same. */
const mediaTypeOf = ({ headers }: Pick<Incoming, 'headers'>): string =>
  (headers['content-type'] ?? '').trim().toLowerCase();

const isForm = (event: Incoming): boolean =>
  event.match.route.form === true && mediaTypeOf(event).startsWith('application/x-www-form-urlencoded');

/** Whether the body is the route's file as it is. `curl --data-binary` names a form where the caller names nothing. */
export const isFile = (event: Pick<Incoming, 'match' | 'headers'>): boolean =>
  event.match.route.file !== undefined && !/^(application\/json\b|$)/.test(mediaTypeOf(event));

const isGzipped = (event: Incoming): boolean =>
  isFile(event) && /^gzip$/i.test((event.headers['content-encoding'] ?? '').trim());

const GZIP_MAGIC = Buffer.from([0x1f, 0x8b]);

/** The body's fields, of which the gateway parsed all but the file out of the query. */
function fileIn({ sent, isBase64Encoded, query, match }: Incoming): object {
  const own = Object.keys(match.route.query?.shape ?? {});
  const fields = Object.entries(Object(query)).filter(([name]) => !own.includes(name));
  if (!isBase64Encoded) return { ...Object.fromEntries(fields), content: sent, encoding: 'utf8' };
  const isGzip = Buffer.from(sent.slice(0, 4), 'base64').subarray(0, 2).equals(GZIP_MAGIC);
  return { ...Object.fromEntries(fields), content: sent, encoding: isGzip ? 'gzip+base64' : 'base64' };
}

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
  const value = jsonOf(text);
  assertPlain(value, MAX_DEPTH);
  const half = halfCharacter(value);
  if (half) throw invalid(half.path.join('.') || 'body', half.message);
  if (isOtherDocument(event.match.route, value)) throw invalid('content', HOW);
  return value;
}

/** Whether a body that should name a file shares no field with the operation: then it is the file. */
function isOtherDocument({ file, body }: Route, value: unknown): boolean {
  const fields = body && 'shape' in body ? Object.keys(Object(body.shape)) : [];
  return file !== undefined && !fields.some((name) => name in Object(value));
}

const HOW =
  'send content or uploadId. To send the report itself as the body, name another Content-Type than application/json, such as ' +
  'application/octet-stream';

/** The message of a syntax error quotes the body, which may hold a secret: only its position is repeated. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const position = / at position \d+( \(line \d+ column \d+\))?/.exec((error as Error).message)?.[0] ?? '';
    throw new ApiError('malformed_json', `The body is not JSON${position}.`);
  }
}

/** Refuses what is too deep, and names that mean something else to JavaScript. A reviver takes longer: docs/decisions/0014. */
function assertPlain(value: unknown, levels: number): void {
  if (typeof value !== 'object' || value === null) return;
  if (levels === 0)
    throw new ApiError('validation_failed', `The body is nested more than ${MAX_DEPTH} levels deep: make it flatter.`);
  if (Array.isArray(value)) {
    for (const inner of value) assertPlain(inner, levels - 1);
    return;
  }
  for (const name of Object.keys(value)) {
    const inner: unknown = Reflect.get(value, name);
    const isReserved = name === '__proto__' || (name === 'constructor' && Object.hasOwn(Object(inner), 'prototype'));
    if (isReserved)
      throw new ApiError('validation_failed', `The body has a field ${name}, which is reserved: leave it out.`);
    assertPlain(inner, levels - 1);
  }
}
