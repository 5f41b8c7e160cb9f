import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError, Overtaken } from './errors.ts';
import { random } from './random.ts';

const isOvertaken = (error: unknown): boolean => error instanceof Overtaken;

/** Another writer came first, or made the same record at the same moment. */
export const isConflict = (error: unknown): boolean => error instanceof ApiError && error.code === 'conflict';

/** Attempts of a retry; the last begins about 5 s after the first. Requests to the table have longer (`retried`). */
export const ATTEMPTS = 20;

/**
 * Full jitter (AWS Architecture Blog, "Exponential Backoff and Jitter"), at most 1 s. In milliseconds. The first waits grow
 * slowly: a transaction is over after 40 ms, and a person's change beside an import needs four or five attempts.
 */
const backoff = (attempt: number): number => random() * Math.min(1000, 20 * 1.4 ** attempt);

/**
 * Repeats the work from its start while it fails for a temporary reason. The work reads the records of its decision, so
 * that each attempt sees the current state.
 * @param isRetried by default: another writer came first
 * @param isOver whether this attempt was the last
 * @throws the error of the last attempt, and at once any error that is not retried
 */
export async function retry<T>(
  work: (attempt: number) => Promise<T>,
  isRetried: (error: unknown) => boolean = isOvertaken,
  isOver: (attempt: number) => boolean = (attempt) => attempt === ATTEMPTS,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work(attempt);
    } catch (error) {
      if (!isRetried(error) || isOver(attempt)) throw error;
      await sleep(backoff(attempt));
    }
  }
}

/** @throws Overtaken when the condition of a write did not hold */
export async function orOvertaken(write: Promise<boolean>): Promise<void> {
  if (!(await write)) throw new Overtaken();
}

/** @returns false when another writer came first */
export async function unlessOvertaken(write: Promise<unknown>): Promise<boolean> {
  try {
    await write;
    return true;
  } catch (error) {
    if (error instanceof Overtaken) return false;
    throw error;
  }
}
