import { setTimeout as sleep } from 'node:timers/promises';
import type { Schedule } from '#functions/workers/contract.ts';

/** Replaces EventBridge Scheduler: calls the function at its interval, never twice at the same time. */
export async function startSchedule({ name, everySeconds, load }: Schedule): Promise<{ stop(): Promise<void> }> {
  const { handler } = await load();
  const stopping = new AbortController();
  const loop = async () => {
    while (!stopping.signal.aborted) {
      await sleep(everySeconds * 1000, undefined, { signal: stopping.signal, ref: false }).catch(() => undefined);
      if (!stopping.signal.aborted) await handler().catch((error) => console.error(`${name}:`, error));
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
