import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { runningSystem } from '../support/system.ts';
import type { SharedSystem } from '../support/system-process.ts';

const file = fileURLToPath(new URL('../support/system-process.ts', import.meta.url));
const directory = fileURLToPath(new URL('../../dist/', import.meta.url));
const LOG_FILE = `${directory}fuzz-system.log`;

/**
 * A system in a process of its own, whose use of the processor can be asked.
 * @param options those of Node, such as the size of its heap
 */
export async function startMeasured(options: string[] = process.execArgv) {
  mkdirSync(directory, { recursive: true });
  const log = openSync(LOG_FILE, 'w');
  const child = fork(file, { execArgv: options, stdio: ['ignore', log, log, 'ipc'] });
  const ended = once(child, 'exit');
  const ready = once(child, 'message').then(([message]: SharedSystem[]) => message);
  const system = await Promise.race([ready, ended.then(() => undefined)]);
  if (!system) throw new Error(`the system did not start:\n${readFileSync(LOG_FILE, 'utf8')}`);
  return {
    system: runningSystem(system),
    usedMs: askUse(child),
    ended,
    async stop() {
      if (child.connected) child.disconnect();
      await ended;
      closeSync(log);
    },
  };
}

/** Asks the process for the milliseconds of processor time that it has used; questions are answered in their order. */
function askUse(child: ChildProcess): () => Promise<number> {
  const waiting: ((milliseconds: number) => void)[] = [];
  child.on('message', ({ user, system }: NodeJS.CpuUsage) => waiting.shift()?.((user + system) / 1_000));
  return () =>
    new Promise((resolve) => {
      waiting.push(resolve);
      child.send('use');
    });
}
