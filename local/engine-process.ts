import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

export type Engine = { endpoint: string; stop(): Promise<void> };

type EngineCommand = {
  command: (port: number) => string[];
  /** The file for the output of the engine: a child that inherits our output would keep a pipe open after our end. */
  logFile: string;
  cwd?: string;
  readyWithinMs: number;
};

/**
 * Replaces the shell by the engine, beside a watcher that kills the engine when our end of descriptor 3 closes. The
 * operating system closes that end even after SIGKILL, so that no orphan holds the data files at the next start.
 */
const followParent = `(cat <&3 >/dev/null; kill -9 $$ 2>/dev/null) & exec "$@" 3<&-`;

const attempts = 5;

/** Starts an engine that takes its port as an argument, and waits until it answers. */
export async function startEngine(engine: EngineCommand): Promise<Engine> {
  mkdirSync(dirname(engine.logFile), { recursive: true });
  for (let attempt = 1; ; attempt++) {
    const port = await freePort();
    const child = launch(engine, port);
    if (await becomesReady(child, port, engine.readyWithinMs)) {
      return { endpoint: `http://127.0.0.1:${port}`, stop: () => stop(child) };
    }
    await stop(child);
    // Another process may have taken the port meanwhile: the next round asks for a new one.
    if (attempt === attempts) throw new Error(`${engine.command(port)[0]} did not start; see ${engine.logFile}`);
  }
}

function launch(engine: EngineCommand, port: number): ChildProcess {
  const log = openSync(engine.logFile, 'a');
  const child = spawn('/bin/sh', ['-c', followParent, 'engine', ...engine.command(port)], {
    stdio: ['ignore', log, log, 'pipe'],
    cwd: engine.cwd,
    // Out of the group that a terminal sends Ctrl-C to: the workers finish their messages with the engine.
    detached: true,
  });
  closeSync(log);
  // The pipe must not keep this process alive. Nothing is written to it, so an error only means that the watcher ended.
  child.stdio[3]?.on('error', () => undefined);
  return child;
}

async function becomesReady(child: ChildProcess, port: number, withinMs: number): Promise<boolean> {
  const deadline = Date.now() + withinMs;
  while (child.exitCode === null && child.signalCode === null && Date.now() < deadline) {
    // Any answer is enough, even an error about a missing signature.
    const answered = await fetch(`http://127.0.0.1:${port}/`).then(
      () => true,
      () => false,
    );
    if (answered) return child.exitCode === null;
    await sleep(5);
  }
  return false;
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) {
    const exited = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGTERM');
    const patience = setTimeout(() => child.kill('SIGKILL'), 5_000);
    await exited;
    clearTimeout(patience);
  }
  child.stdio[3]?.destroy();
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() =>
        typeof address === 'object' && address ? resolve(address.port) : reject(new Error('no free port')),
      );
    });
  });
}
