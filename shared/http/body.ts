import { ApiError } from './errors.ts';
import type { Route } from './route.ts';

/** A request body is at most 4 MB; larger reports go through an upload. */
export const MAX_BODY_BYTES = 4 * 1024 * 1024;

export type RawBody = { text: string | undefined; base64: boolean; contentType: string };

/** The parsed body of a request, before its schema is checked. */
export function parseBody(route: Route, { text, base64, contentType }: RawBody): unknown {
  if (!text) return route.body ? {} : undefined;
  const body = base64 ? Buffer.from(text, 'base64').toString('utf8') : text;
  if (Buffer.byteLength(body) > MAX_BODY_BYTES)
    throw new ApiError('payload_too_large', 'The body is over 4 MB. Send large reports through an upload.');
  if (route.form && contentType.startsWith('application/x-www-form-urlencoded'))
    return Object.fromEntries(new URLSearchParams(body));
  if (contentType !== '' && !/^application\/([\w.+-]+\+)?json\b/.test(contentType))
    throw new ApiError('unsupported_media_type', `Send JSON (Content-Type: application/json), not ${contentType}.`);
  return parseJson(body);
}

function parseJson(text: string): unknown {
  try {
    // A `__proto__` key would otherwise be copied into records.
    return JSON.parse(text, (key, value) => (key === '__proto__' ? undefined : value));
  } catch (error) {
    throw new ApiError('malformed_json', `The body is not JSON: ${error instanceof Error ? error.message : ''}`);
  }
}
