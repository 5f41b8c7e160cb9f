import { setTimeout as sleep } from 'node:timers/promises';
import { endsMachine } from './service.ts';

const retrySeconds = 30;

/** A machine runs for years unattended: only a credential that is no longer valid ends its work. */
export async function repeat(work: () => Promise<void>, until: AbortSignal): Promise<void> {
  while (!until.aborted) {
    try {
      await work();
    } catch (error) {
      if (until.aborted) return;
      if (endsMachine(error)) throw error;
      console.error(`${error instanceof Error ? error.message : error}; trying again in ${retrySeconds} s`);
      await pause(retrySeconds, until);
    }
  }
}

export const pause = (seconds: number, until: AbortSignal): Promise<void> =>
  sleep(seconds * 1000, undefined, { signal: until }).catch(() => undefined);
