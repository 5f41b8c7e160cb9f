import { createHash } from 'node:crypto';
import { inSeconds, now } from '../runtime/clock.ts';
import { ApiError, conflict, invalid } from '../runtime/errors.ts';
import { log } from '../runtime/log.ts';
import { defineRow } from '../table/io/row.ts';
import type { Table } from '../table/table.ts';
import type { Incoming } from './incoming.ts';
import type { Route } from './route.ts';

type StoredAnswer = {
  caller: string;
  key: string;
  request: string;
  answer?: string;
  busyUntil?: string;
  expiresAt: string;
};

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

type Attempt = {
  table: Table;
  key: string;
  event: Pick<Incoming, 'match' | 'headers' | 'rawPath' | 'rawQueryString' | 'sent'>;
};

/**
 * Runs a POST once per `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header): the same key and request repeats
 * the answer for a day, another request under the key is refused. A request that failed may be tried again.
 */
export async function withIdempotency(attempt: Attempt, respond: () => Promise<unknown>): Promise<unknown> {
  const { table, key, event } = attempt;
  const { route } = event.match;
  if (key.length > 255) throw invalid('Idempotency-Key', 'must be at most 255 characters');
  const rows = table.rows(storedAnswers);
  const id = { caller: table.actor.id, key };
  // the fields of a file's request stand in its query
  const query = route.file?.isFile(event) ? `?${event.rawQueryString}` : '';
  const told = `${route.method} ${event.rawPath}${query}\n${event.sent}`;
  const request = createHash('sha256').update(told).digest('base64url');
  const claim = { ...id, request, busyUntil: inSeconds(BUSY_SECONDS), expiresAt: inSeconds(IDEMPOTENCY_SECONDS) };
  if (!(await rows.put(claim, 'absent'))) {
    const earlier = await rows.find(id, true);
    if (earlier?.answer !== undefined) return repeatAnswer(earlier, request, route);
    if (earlier) assertFree(earlier, request);
    const taken = await rows.put(claim, earlier ? { busyUntil: earlier.busyUntil, request } : 'absent');
    if (!taken) throw conflict('A request with this Idempotency-Key is in progress. Try again shortly.');
  }
  const body = await respond().catch(async (error: unknown) => {
    await rows.remove(id);
    throw error;
  });
  const answer = route.answersSecret ? '' : withinLimit(JSON.stringify(body));
  await rows.put({ ...claim, busyUntil: undefined, answer }).catch((error: unknown) => {
    // The request was carried out: an error would make the caller repeat it. The claim stays and refuses an early
    // repetition.
    log.error('answer not kept for its Idempotency-Key', { route: route.path, error: error as Error });
  });
  return body;
}

const withinLimit = (answer: string): string => (Buffer.byteLength(answer) > MAX_ANSWER_BYTES ? '' : answer);

function repeatAnswer({ answer, request: earlier }: StoredAnswer, request: string, route: Route): unknown {
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
