import { setTimeout as sleep } from 'node:timers/promises';
import { vi } from 'vitest';
import { elapsedMs } from '#shared/platform/runtime/clock.ts';
import type { AnswerOf, Client } from './client.ts';

// Nothing here judges how fast the service is: on a slow machine a wait takes longer, and a test's own limit ends it.

/** A task that nothing moves for so long is told as it stands, before the test's own limit says less. */
const STILL_MS = 240_000;

/** The task as it is when its work has ended, well or not. */
export async function finished(client: Pick<Client, 'ok'>, id: string): Promise<AnswerOf<'getTask'>> {
  for (let moved = { at: '', since: elapsedMs() }; ; ) {
    const task = await client.ok('getTask', { params: { id }, query: { waitSeconds: 20 } });
    if (task.finishedAt) return task;
    if (task.updatedAt !== moved.at) moved = { at: task.updatedAt, since: elapsedMs() };
    if (elapsedMs() - moved.since > STILL_MS) throw new Error(`The task stands still: ${JSON.stringify(task)}`);
  }
}

/** Changes rest for some seconds before views show them: who asks too often takes the processor from the service. */
const LONGEST_PAUSE_MS = 300;

/** Asks again until the answer is as wished. */
export async function until<T>(ask: () => Promise<T>, isRight: (value: T) => boolean): Promise<T> {
  for (let pause = 25; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
    const value = await ask();
    if (isRight(value)) return value;
    await sleep(pause);
  }
}

/** Repeats expectations until all of them hold. */
export const eventually = <T>(expectations: () => T): Promise<Awaited<T>> =>
  vi.waitFor(expectations, { timeout: 120_000, interval: 150 }) as Promise<Awaited<T>>;
