import type { MiddlewareObj, Request } from '@middy/core';
import jsonBodyParser from '@middy/http-json-body-parser';
import { ApiError, invalid } from '../runtime/errors.ts';
import { excessOf } from '../runtime/json-cost.ts';
import { halfCharacter } from '../runtime/storable.ts';
import type { Incoming, Result } from './incoming.ts';

/** The table keeps 32 levels; a record may add two of its own. */
const MAX_DEPTH = 30;

/** The media type is checked here: the library refuses a request that names none, which counts as JSON. */
const jsonParser = jsonBodyParser<Incoming>({ disableContentTypeCheck: true });

/**
 * The step that parses the body: a file or a form where the route takes one, otherwise JSON. The body of a signed route is
 * parsed when its handler asks, after the proof of the signature.
 */
export const bodyParser: MiddlewareObj<Incoming, Result> = {
  before(request) {
    const { event } = request;
    if (event.match.route.signed) event.readBody = () => valueIn(request);
    else event.value = valueIn(request);
  },
};

/** The parsed body; undefined without a body. @throws malformed_json, validation_failed and others */
function valueIn(request: Request<Incoming, Result>): unknown {
  const { event } = request;
  if (event.sent === '') return undefined;
  const { file, form } = event.match.route;
  if (file?.isFile(event)) return file.valueIn(event);
  if (form && mediaTypeOf(event).startsWith('application/x-www-form-urlencoded')) return parseForm(textOf(event));
  return parseJson(request);
}

/** The body as the caller sent it. */
export const bytesOf = ({ sent, isBase64Encoded }: Incoming): Buffer =>
  Buffer.from(sent, isBase64Encoded ? 'base64' : 'utf8');

const textOf = (event: Incoming): string => (event.isBase64Encoded ? bytesOf(event).toString() : event.sent);

/** RFC 9110, section 8.3.1: upper and lower case mean the same. */
const mediaTypeOf = ({ headers }: Incoming): string => (headers['content-type'] ?? '').trim().toLowerCase();

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

function parseJson(request: Request<Incoming, Result>): unknown {
  const { event } = request;
  const mediaType = mediaTypeOf(event);
  if (mediaType !== '' && !/^application\/([\w.+-]+\+)?json\b/.test(mediaType))
    throw new ApiError(
      'unsupported_media_type',
      `Send JSON (Content-Type: application/json), not ${event.headers['content-type']}.`,
    );
  if (excessOf(textOf(event), MAX_DEPTH, Number.POSITIVE_INFINITY))
    throw new ApiError('validation_failed', `The body is nested more than ${MAX_DEPTH} levels deep: make it flatter.`);
  const value = parsedBy(request);
  const half = halfCharacter(value);
  if (half) throw invalid(half.path.join('.') || 'body', half.message);
  return event.match.route.file?.withQuery(value, event.query) ?? value;
}

/** The library replaces the body of the event that it is given. */
function parsedBy(request: Request<Incoming, Result>): unknown {
  const event = { ...request.event };
  try {
    jsonParser.before?.({ ...request, event });
  } catch (error) {
    throw refusalOf(error);
  }
  return event.body;
}

/** The answer of this service for a refusal of the library, which has the message of `JSON.parse` or the reserved field as its cause. */
function refusalOf(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { message, data }: { message?: string; data?: string } = Object(error.cause);
  if (message === undefined)
    return new ApiError('validation_failed', `The body has a field ${data}, which is reserved: leave it out.`);
  // The message quotes the body, which may hold a secret: only its position is repeated.
  const position = / at position \d+( \(line \d+ column \d+\))?/.exec(message)?.[0] ?? '';
  return new ApiError('malformed_json', `The body is not JSON${position}.`);
}
