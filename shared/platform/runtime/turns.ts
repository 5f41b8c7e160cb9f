import { setImmediate } from 'node:timers/promises';
import { elapsedMs } from './clock.ts';

/** The requests of others in the same process wait as long as this, and as the longest step. */
const TURN_MS = 20;

/** Runs steps that only use the processor, and lets other work run between them. */
export async function inTurns<Result>(steps: Generator<void, Result>): Promise<Result> {
  for (let since = elapsedMs(); ; ) {
    const { done, value } = steps.next();
    if (done) return value;
    if (elapsedMs() - since < TURN_MS) continue;
    await setImmediate();
    since = elapsedMs();
  }
}
