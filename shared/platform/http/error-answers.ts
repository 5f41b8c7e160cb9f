import type { MiddlewareObj } from '@middy/core';
import { ApiError, type ErrorCode, errorStatus } from '../runtime/errors.ts';
import { log } from '../runtime/log.ts';
import { jsonAnswer } from './answers.ts';
import type { Arrived, Result } from './incoming.ts';
import { SCIM_MEDIA_TYPE, scimError } from './scim.ts';

/** The step where errors become answers, and the only place. An error that is no ApiError goes to the log, not to the caller. */
export const errorAnswers: MiddlewareObj<Arrived, Result> = {
  onError(request) {
    request.response = errorAnswer(request.error, request.event);
  },
};

function errorAnswer(thrown: unknown, { match, headers, requestContext: { requestId } }: Arrived): Result {
  if (!(thrown instanceof ApiError)) log.error('request failed', { requestId, error: thrown });
  const error = thrown instanceof ApiError ? thrown : new ApiError('internal_error', UNKNOWN);
  const answer = match?.route.dialect === 'scim' ? scimAnswer(error, requestId) : plainAnswer(error, requestId);
  const { code, retryAfter } = error;
  const more = {
    ...(answer.statusCode === 401 && { 'www-authenticate': challenge(code, headers.authorization) }),
    ...(retryAfter !== undefined && { 'retry-after': String(retryAfter) }),
  };
  return { ...answer, headers: { ...answer.headers, ...more } };
}

const UNKNOWN = 'Something went wrong on our side. Try again, and report the request id if the error persists.';

function plainAnswer({ code, message, details, current }: ApiError, requestId: string): Result {
  return jsonAnswer(errorStatus[code], { code, message, details, current, requestId }, requestId);
}

function scimAnswer(error: ApiError, requestId: string): Result {
  const { status, body } = scimError(error);
  return jsonAnswer(status, body, requestId, SCIM_MEDIA_TYPE);
}

/** A 401 names the ways to authenticate (RFC 9110, section 15.5.2; RFC 6750, section 3). */
function challenge(code: ErrorCode, authorization = ''): string {
  if (code === 'insufficient_scope') return 'Bearer error="insufficient_scope"';
  // Only for a client that used it (RFC 6749, section 5.2): a browser would ask its user for a password.
  if (/^basic\b/i.test(authorization) && code === 'invalid_client') return 'Basic realm="clients"';
  return code === 'unauthorized' && authorization ? 'Bearer error="invalid_token"' : 'Bearer';
}
