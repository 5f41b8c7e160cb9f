import { type Background, type BackgroundWork, startBackground } from './background.ts';

/**
 * The process of the workers (workers-beside.ts). The settings of the system are in its environment. Only its parent ends it: a signal
 * to the whole group, such as Ctrl-C in a terminal, lets the parent answer its requests and the workers finish their messages.
 */
let background: Background | undefined;

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
process.channel?.ref(); // follow-parent.mjs lets a process end before its first message
process.once('disconnect', () => process.exit(1));
process.on('message', (message: BackgroundWork | 'stop') => void (message === 'stop' ? stop() : start(message)));

function start(work: BackgroundWork): void {
  background = startBackground(work);
  process.send?.('ready');
}

async function stop(): Promise<void> {
  await background?.stop();
  process.exit(0);
}
