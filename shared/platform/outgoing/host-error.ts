/** The failures of a request to a host; the error of an integration names one. */
type HostErrorCode =
  | 'no_token'
  | 'token_refused'
  | 'not_allowed'
  | 'not_found'
  | 'rate_limited'
  | 'unreachable'
  | 'unexpected_answer';

/**
 * A host that an organization connected refused a request or did not answer it. The message is for the people of the
 * organization.
 */
export class HostError extends Error {
  readonly code: HostErrorCode;
  /** When the host may be called again, after a limit on requests. */
  readonly retryAt: string | undefined;
  /** A repetition of the same request mends nothing. */
  readonly isFinal: boolean;

  constructor(code: HostErrorCode, message: string, retryAt?: string) {
    super(message);
    this.code = code;
    this.retryAt = retryAt;
    this.isFinal = retryAt === undefined && code !== 'unreachable';
  }
}
