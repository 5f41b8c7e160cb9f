import { timeLeftMs } from '../../runtime/deadline.ts';
import { ATTEMPTS, retry } from '../../runtime/retry.ts';

/** The table refused the request and did nothing. */
const REFUSED = new Set([
  'TransactionConflictException',
  'TransactionConflict',
  'ThrottlingException',
  'ThrottlingError',
  'ProvisionedThroughputExceededException',
  'ProvisionedThroughputExceeded',
  'RequestLimitExceeded',
]);

/** The request may have been done, and only its answer is missing. */
const DOUBTFUL = new Set([
  'TransactionInProgressException',
  'InternalServerError',
  'ServiceUnavailable',
  'TimeoutError',
  'ECONNRESET',
  'ECONNREFUSED',
  'EPIPE',
  'ETIMEDOUT',
]);

/** DynamoDB left some rows of a request unprocessed; they are sent again. */
export class Unprocessed extends Error {
  constructor(rows: number) {
    super(`the table left ${rows} rows of a batch unprocessed`);
  }
}

type Failure = { name?: string; code?: string; CancellationReasons?: { Code?: string }[] };

export function isDoubtful(error: unknown): boolean {
  const { name = '', code = '' } = error as Failure;
  return DOUBTFUL.has(name) || DOUBTFUL.has(code);
}

function isPassing(error: unknown): boolean {
  if (error instanceof Unprocessed || isDoubtful(error)) return true;
  const { name = '', CancellationReasons = [] } = error as Failure;
  if (name === 'TransactionCanceledException')
    return CancellationReasons.some(({ Code = '' }) => REFUSED.has(Code) || DOUBTFUL.has(Code));
  return REFUSED.has(name);
}

/** The time that is kept for the answer to the caller, or for the end of the message's task. */
const RESERVE_MS = 3_000;

/**
 * Sends a request to the table, again after conflicts, throttling and lost answers, until the time of the request or the
 * message is nearly over.
 */
export const retried = <T>(send: () => Promise<T>): Promise<T> =>
  retry(send, isPassing, (attempt) => {
    const left = timeLeftMs();
    return left === undefined ? attempt >= ATTEMPTS : left < RESERVE_MS;
  });
