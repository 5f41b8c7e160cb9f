import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Background, BackgroundWork } from './background.ts';
import type { Queues } from './queues.ts';

const file = fileURLToPath(new URL('workers-process.ts', import.meta.url));

/** Until then this process has read each request that a dead process sent. */
const READ_MS = 100;

type Running = { child: ChildProcess; ended: Promise<unknown[]> };

/**
 * The workers in a process of their own, beside the HTTP server. The process ends with this one, and is started again when
 * it dies: the messages that it had taken are delivered again. A start that fails ends this process.
 */
export async function startWorkersBeside(work: BackgroundWork, queues: Queues): Promise<Background> {
  let running = await start(work);
  let isStopping = false;
  const kept = (async () => {
    for (;;) {
      const [code, signal] = await running.ended;
      if (isStopping) return;
      // The reader of the output has enough (report-mistakes.ts): the system ends too.
      if (code === 0) return void process.kill(process.pid, 'SIGTERM');
      console.error(`The process of the workers ended with ${signal ?? code} and starts again.`);
      await sleep(READ_MS);
      await queues.releaseTaken();
      running = await start(work);
      if (isStopping) running.child.send('stop');
    }
  })();
  return {
    async stop() {
      isStopping = true;
      if (running.child.connected) running.child.send('stop');
      await kept;
    },
  };
}

async function start(work: BackgroundWork): Promise<Running> {
  const child = fork(file, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const ended = once(child, 'exit');
  child.send(work);
  const isReady = await Promise.race([once(child, 'message').then(() => true), ended.then(() => false)]);
  if (!isReady) throw new Error('The process of the workers does not start.');
  return { child, ended };
}
