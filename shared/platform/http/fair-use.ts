import { knownLimits } from '../quotas/limits.ts';
import { limitExceeded, QUOTAS } from '../quotas/quotas.ts';
import { elapsedMs, inSeconds } from '../runtime/clock.ts';
import type { Dynamo } from '../runtime/dynamo.ts';

const SECOND_MS = 1_000;

/** The use of this process, by organization: a second of requests, and the requests that wait for the end of a task. */
const requests = new Map<string, number>();
const held = new Map<string, number>();
let secondEndsMs = 0;

const countOf = (uses: ReadonlyMap<string, number>, organizationId: string): number => uses.get(organizationId) ?? 0;

/** Forgets the second before. @returns milliseconds until this one ends */
function enterSecond(): number {
  const time = elapsedMs();
  if (time >= secondEndsMs) {
    requests.clear();
    secondEndsMs = time + SECOND_MS;
  }
  return secondEndsMs - time;
}

/**
 * Counts a request in memory. The limit is read once a minute for an organization that makes many requests; a few are
 * below every limit.
 * @throws limit_exceeded
 */
export async function countRequest(dynamo: Dynamo, organizationId: string): Promise<void> {
  enterSecond();
  if (countOf(requests, organizationId) >= QUOTAS.requestsPerSecond.lowest) {
    const { requestsPerSecond: limit } = await knownLimits(dynamo, organizationId);
    const until = inSeconds(enterSecond() / SECOND_MS);
    const used = countOf(requests, organizationId);
    if (used >= limit) throw limitExceeded('requestsPerSecond', { limit, used, wanted: 1, until });
  }
  requests.set(organizationId, countOf(requests, organizationId) + 1);
}

type Waiting = { organizationId: string; seconds: number };

/**
 * Runs a request that may wait for this many seconds, and counts it as a waiting request of its organization. @throws
 * limit_exceeded
 */
export async function whileHeld<T>(
  dynamo: Dynamo,
  { organizationId, seconds }: Waiting,
  respond: () => Promise<T>,
): Promise<T> {
  const { heldRequests: limit } = await knownLimits(dynamo, organizationId);
  const used = countOf(held, organizationId);
  if (used >= limit) throw limitExceeded('heldRequests', { limit, used, wanted: 1, until: inSeconds(seconds) });
  held.set(organizationId, used + 1);
  try {
    return await respond();
  } finally {
    const left = countOf(held, organizationId) - 1;
    if (left > 0) held.set(organizationId, left);
    else held.delete(organizationId);
  }
}

/** The use of this process now. */
export function useInMemory(organizationId: string): { requestsPerSecond: number; heldRequests: number } {
  enterSecond();
  return { requestsPerSecond: countOf(requests, organizationId), heldRequests: countOf(held, organizationId) };
}
