import { setTimeout as sleep } from 'node:timers/promises';
import type { Schedule } from '#functions/workers/contract.ts';
import { elapsedMs } from '#shared/platform/runtime/clock.ts';

/** Replaces EventBridge Scheduler: loads the function with its first run and calls it at its interval, never twice at the same time. */
export function startSchedule({ name, everySeconds, runSeconds, load }: Schedule): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const { signal } = stopping;
  const pause = (milliseconds: number) => sleep(milliseconds, undefined, { signal, ref: false }).catch(() => undefined);
  const loop = async () => {
    // what works all the time works at once
    if (runSeconds === undefined) await pause(everySeconds * 1000);
    while (!signal.aborted) {
      const began = elapsedMs();
      await load()
        .then(({ handler }) => handler({ signal }))
        .catch((error) => console.error(`${name}:`, error));
      await pause(Math.max(0, began + everySeconds * 1000 - elapsedMs()));
    }
  };
  const running = loop();
  return {
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
