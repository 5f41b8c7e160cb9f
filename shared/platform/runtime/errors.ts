import { shortened } from './texts.ts';

/** Every error code of the service and its HTTP status; the API document lists them from here. */
export const errorStatus = {
  validation_failed: 400,
  malformed_json: 400,
  unsupported_media_type: 400,
  payload_too_large: 400,
  not_found: 400,
  conflict: 400,
  approval_required: 400,
  read_only: 400,
  unsupported_format: 400,
  unsupported_filter: 400,
  idempotency_mismatch: 400,
  upload_incomplete: 400,
  limit_exceeded: 400,
  invalid_request: 400,
  invalid_grant: 400,
  authorization_pending: 400,
  slow_down: 400,
  access_denied: 400,
  expired_token: 400,
  invalid_scope: 400,
  unsupported_grant_type: 400,
  unauthorized: 401,
  invalid_client: 401,
  invalid_link_token: 401,
  insufficient_scope: 401,
  invalid_challenge: 401,
  rate_limited: 429,
  internal_error: 500,
} as const;

export type ErrorCode = keyof typeof errorStatus;
export type ErrorDetail = { path: string; message: string };

/** Bounds of an answer that refuses a request: a caller who sends nonsense gets no megabytes of it back. */
const MAX_DETAILS = 20;
const MAX_PATH = 100;
const MAX_MESSAGE = 1000;

/** An error that the caller can act on. Anything else that is thrown is answered as `internal_error`. */
export class ApiError extends Error {
  readonly code: ErrorCode;
  /** The first of many wrong fields; the message gives the number of further ones. */
  readonly details: ErrorDetail[] | undefined;
  /** The record as it is now, on a version conflict. */
  readonly current: unknown;
  /** Seconds after which the request may be sent again; the header Retry-After. */
  readonly retryAfter: number | undefined;

  constructor(
    code: ErrorCode,
    message: string,
    more: { details?: ErrorDetail[]; current?: unknown; retryAfter?: number } = {},
  ) {
    const { details, current, retryAfter } = more;
    const most = code === 'validation_failed' ? MAX_DETAILS : Number.POSITIVE_INFINITY;
    const left = (details?.length ?? 0) - most;
    super(shortened(message, MAX_MESSAGE) + (left > 0 ? ` (and ${left} more)` : ''));
    this.code = code;
    this.retryAfter = retryAfter;
    this.details = details?.slice(0, most).map(boundedDetail);
    this.current = current;
  }
}

const boundedDetail = ({ path, message }: ErrorDetail): ErrorDetail => ({
  path: shortened(path, MAX_PATH),
  message: shortened(message, MAX_MESSAGE),
});

export const notFound = (kind: string, id: string): ApiError =>
  new ApiError('not_found', `There is no ${kind.replaceAll('-', ' ')} ${id}.`);

export const invalid = (path: string, message: string): ApiError =>
  new ApiError('validation_failed', `${path}: ${message}`, { details: [{ path, message }] });

export const conflict = (message: string, details?: ErrorDetail[]): ApiError =>
  new ApiError('conflict', message, { details });

/** A limit that is the same for everybody; limits of an organization are quotas (`limitExceeded`), which somebody raises. */
export const fixedLimit = (owner: string, most: number, things: string, instead = 'delete one first'): ApiError =>
  conflict(`${owner} has at most ${most} ${things}, and nobody raises this limit: ${instead}.`);

const CHANGED = 'The record was changed by someone else. Read it again and repeat the change.';

/** The caller named another version than the record has; the answer has the current record. */
export const versionConflict = (current: unknown): ApiError => new ApiError('conflict', CHANGED, { current });

/**
 * Another writer changed a record after it was read: `retry` reads it again and decides again. When every attempt was
 * overtaken, the caller gets this conflict, or the worker's message is delivered again.
 */
export class Overtaken extends ApiError {
  /** @param current the record as it is now, where the caller is to see it */
  constructor(current?: unknown) {
    super('conflict', CHANGED, { current });
  }
}

/** A file is unusable as a whole. The message says what its sender can do, and quotes none of the content. */
export class FileError<Code extends string = string> extends Error {
  readonly code: Code;

  constructor(code: Code, message: string) {
    super(message);
    this.name = 'FileError';
    this.code = code;
  }
}
