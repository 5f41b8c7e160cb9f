import { createHash } from 'node:crypto';
import type { MiddlewareObj } from '@middy/core';
import { inSeconds, now } from '../runtime/clock.ts';
import { ApiError, conflict, invalid } from '../runtime/errors.ts';
import { log } from '../runtime/log.ts';
import { defineRow } from '../table/io/row.ts';
import type { Table } from '../table/table.ts';
import { doneAnswer } from './answers.ts';
import type { Incoming, Result, StoredAnswer } from './incoming.ts';
import type { Route } from './route.ts';

/** Time for which an answer is repeated for its key. */
export const IDEMPOTENCY_SECONDS = 86_400;
const BUSY_SECONDS = 30; // longer than any request may take at the gateway
const MAX_ANSWER_BYTES = 300_000; // an item holds 400 KB

export const storedAnswers = defineRow<StoredAnswer, Pick<StoredAnswer, 'caller' | 'key'>>({
  name: 'idempotency',
  about: 'the answer of a request that carried an idempotency key',
  key: ({ caller, key }) => [caller, key],
  expiresAt: (row) => row.expiresAt,
});

const rowsOf = (table: Table) => table.rows(storedAnswers);

/**
 * The step that runs a POST once per `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header): the same key and request
 * repeats the answer for a day, another request under the key is refused. A request that failed may be tried again.
 */
export const idempotency: MiddlewareObj<Incoming, Result> = {
  async before({ event }) {
    const { table, headers, requestContext } = event;
    const key = headers['idempotency-key'];
    if (!key || !table || requestContext.http.method !== 'POST') return;
    if (key.length > 255) throw invalid('Idempotency-Key', 'must be at most 255 characters');
    await claimKey({ event, key, rows: rowsOf(table), caller: table.actor.id });
  },

  async after({ event, response }) {
    const { claim, table, match } = event;
    if (!claim || !table) return;
    const answer = match.route.answersSecret ? '' : withinLimit(response?.body ?? '');
    const kept = { ...claim, busyUntil: undefined, answer };
    // The request was carried out: after an error the caller would repeat it. The claim stays and refuses an early
    // repetition.
    await rowsOf(table)
      .put(kept)
      .catch((error: unknown) =>
        log.error('answer not kept for its Idempotency-Key', { route: match.route.path, error }),
      );
  },

  async onError({ event: { claim, table, match } }) {
    if (!claim || !table) return;
    // The caller receives the first error, and the claim expires.
    await rowsOf(table)
      .remove(claim)
      .catch((error: unknown) =>
        log.error('claim of an Idempotency-Key not removed', { route: match.route.path, error }),
      );
  },
};

type Attempt = { event: Incoming; key: string; caller: string; rows: ReturnType<typeof rowsOf> };

/** Claims the key for this request, or finds the answer of an earlier request. */
async function claimKey({ event, key, caller, rows }: Attempt): Promise<void> {
  const id = { caller, key };
  const request = digestOf(event);
  const claim = { ...id, request, busyUntil: inSeconds(BUSY_SECONDS), expiresAt: inSeconds(IDEMPOTENCY_SECONDS) };
  if (!(await rows.put(claim, 'absent'))) {
    const earlier = await rows.find(id, true);
    if (earlier?.answer !== undefined) {
      const answer = earlierAnswer(earlier, request, event.match.route);
      event.repeated = doneAnswer(event.match.route, answer, event.requestContext.requestId);
      return;
    }
    if (earlier) assertFree(earlier, request);
    const taken = await rows.put(claim, earlier ? { busyUntil: earlier.busyUntil, request } : 'absent');
    if (!taken) throw conflict('A request with this Idempotency-Key is in progress. Try again shortly.');
  }
  event.claim = claim;
}

function digestOf({ match: { route }, headers, rawPath, rawQueryString, sent }: Incoming): string {
  // the fields of a file's request are in its query
  const query = route.file?.isFile({ headers }) ? `?${rawQueryString}` : '';
  return createHash('sha256').update(`${route.method} ${rawPath}${query}\n${sent}`).digest('base64url');
}

const withinLimit = (answer: string): string => (Buffer.byteLength(answer) > MAX_ANSWER_BYTES ? '' : answer);

function earlierAnswer({ answer, request: earlier }: StoredAnswer, request: string, route: Route): unknown {
  assertSame(earlier, request);
  if (answer) return JSON.parse(answer);
  const why = route.answersSecret ? 'its answer held a secret that is shown once' : 'its answer was too large to keep';
  throw conflict(`This request was already carried out; ${why}.`);
}

function assertFree(earlier: StoredAnswer, request: string): void {
  assertSame(earlier.request, request);
  if (earlier.busyUntil && earlier.busyUntil > now())
    throw conflict('A request with this Idempotency-Key is in progress. Try again shortly.');
}

function assertSame(earlier: string, request: string): void {
  if (earlier !== request)
    throw new ApiError('idempotency_mismatch', 'This Idempotency-Key was used for another request. Choose a new key.');
}
