import type { Result } from './incoming.ts';
import type { RawAnswer, Route } from './route.ts';
import { SCIM_MEDIA_TYPE } from './scim.ts';

export const jsonAnswer = (
  statusCode: number,
  body: unknown,
  requestId: string,
  contentType = 'application/json; charset=utf-8',
): Result => ({
  statusCode,
  headers: {
    'content-type': contentType,
    'cache-control': 'no-store',
    'x-request-id': requestId,
  },
  body: JSON.stringify(body),
});

/** The answer of an operation without an error, in the form that its route declares. */
export function doneAnswer({ dialect, status = 200 }: Route, body: unknown, requestId: string): Result {
  const answer = jsonAnswer(status, body, requestId, dialect && SCIM_MEDIA_TYPE);
  return status === 204 ? { ...answer, body: '' } : answer;
}

export const rawAnswer = ({ contentType, body, base64 = false, headers }: RawAnswer): Result => ({
  statusCode: 200,
  headers: { 'content-type': contentType, 'cache-control': 'no-store', ...headers },
  body,
  isBase64Encoded: base64,
});
