import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer } from '#shared/apex/llm-completion.ts';
import { elapsedMs } from '#shared/platform/runtime/clock.ts';
import { random } from '#shared/platform/runtime/random.ts';
import { ProviderError } from './provider.ts';

/** A first try and two more. */
const TRIES = 3;
const FIRST_PAUSE_MS = 500;
/** For a longer pause the worker gives up, and the appliance asks again. */
const LONGEST_PAUSE_MS = 20_000;

type Bounds = {
  timeoutSeconds: number;
  /** `elapsedMs()` at which the worker has to be done. */
  until: number;
};

/** Retries a call with growing pauses, within the worker's time. @throws ProviderError of the last try */
export async function tryCall(call: (signal: AbortSignal) => Promise<Answer>, bounds: Bounds): Promise<Answer> {
  for (let attempt = 1; ; attempt++) {
    const left = bounds.until - elapsedMs();
    try {
      return await call(AbortSignal.timeout(Math.max(1, Math.min(bounds.timeoutSeconds * 1000, left))));
    } catch (error) {
      if (!(error instanceof ProviderError) || !error.retryable || attempt === TRIES) throw error;
      const pause = pauseBefore(attempt, error.retryAfterSeconds);
      if (pause > LONGEST_PAUSE_MS || elapsedMs() + pause >= bounds.until) throw error;
      await sleep(pause);
    }
  }
}

/** The pause doubles each time, with jitter, and is never shorter than the provider asks for. */
const pauseBefore = (attempt: number, retryAfterSeconds = 0): number =>
  Math.max(FIRST_PAUSE_MS * 2 ** (attempt - 1) * (0.75 + random() / 2), retryAfterSeconds * 1000);
