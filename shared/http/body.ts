import { ApiError } from '../runtime/errors.ts';
import type { Route } from './route.ts';

/** A request body is at most 4 MB; larger reports go through an upload. */
export const MAX_BODY_BYTES = 4 * 1024 * 1024;

export type RawBody = { text: string | undefined; base64: boolean; contentType: string; coding?: string };

/** The parsed body of a request, before its schema is checked. */
export function parseBody(route: Route, { text, base64, contentType, coding = '' }: RawBody): unknown {
  if (!text) return route.body ? {} : undefined;
  if (!/^(identity)?$/i.test(coding.trim()))
    throw new ApiError('unsupported_media_type', `Send the body as it is, not in the Content-Encoding ${coding}.`);
  const body = base64 ? Buffer.from(text, 'base64').toString('utf8') : text;
  if (Buffer.byteLength(body) > MAX_BODY_BYTES)
    throw new ApiError('payload_too_large', 'The body is over 4 MB. Send large reports through an upload.');
  const mediaType = contentType.trim().toLowerCase(); // RFC 9110, section 8.3.1: in any case
  if (route.form && mediaType.startsWith('application/x-www-form-urlencoded')) return parseForm(body);
  if (mediaType !== '' && !/^application\/([\w.+-]+\+)?json\b/.test(mediaType))
    throw new ApiError('unsupported_media_type', `Send JSON (Content-Type: application/json), not ${contentType}.`);
  const parsed = parseJson(body);
  if (isDeeper(parsed, MAX_DEPTH))
    throw new ApiError('validation_failed', `The body is nested more than ${MAX_DEPTH} levels deep: make it flatter.`);
  return parsed;
}

/** RFC 6749, section 3.2: what has no value counts as left out, and nothing may be given twice. */
function parseForm(text: string): object {
  const fields = [...new URLSearchParams(text)].filter(([, value]) => value !== '');
  const names = fields.map(([name]) => name);
  const twice = names.find((name, n) => names.indexOf(name) !== n);
  if (twice !== undefined) throw new ApiError('invalid_request', `Send ${twice} only once.`);
  return Object.fromEntries(fields);
}

/** The table keeps 32 levels, two of which may be its own. */
const MAX_DEPTH = 30;

const isDeeper = (value: unknown, levels: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1)));

/** Where it breaks off, where that is told: the rest of the message quotes the body, which may hold a secret. */
const placeOf = (error: unknown): string =>
  / at position \d+( \(line \d+ column \d+\))?/.exec(error instanceof Error ? error.message : '')?.[0] ?? '';

function parseJson(text: string): unknown {
  try {
    // A `__proto__` key would otherwise be copied into records.
    return JSON.parse(text, (key, value) => (key === '__proto__' ? undefined : wellFormed(value)));
  } catch (error) {
    throw new ApiError('malformed_json', `The body is not JSON${placeOf(error)}.`);
  }
}

/** Half a character (`\ud800`) has no form in UTF-8, so nothing could be stored with it; it is replaced as in a query. */
function wellFormed(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed();
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  if (Object.keys(value).every((name) => name.isWellFormed())) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name.toWellFormed(), inner]));
}
