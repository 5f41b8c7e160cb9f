import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { dice } from '../support/faults.ts';
import type { Fault, Order, Outcome } from './hostile-child.ts';
import { hostileInput } from './hostile-inputs.ts';
import { readReports } from './reports.ts';

const file = fileURLToPath(new URL('./hostile-child.ts', import.meta.url));
const BATCH = 200;
/** An input that takes so long, also on a busy machine, does not end. */
const HUNG_MS = 60_000;

/**
 * The settings of local/run.mjs, with a heap that leaves 150 of 512 MB to what lies outside of it: buffers of a stream that was
 * unpacked wait for a collection.
 */
export const MEMORY = ['--max-old-space-size=360', '--max-semi-space-size=8', '--heap-growing-percent=70'];

type Reader = { child: ChildProcess; current(): number; stop(): void };

function startReader(directory: string): Reader {
  const progress = join(directory, 'progress');
  const fd = openSync(progress, 'w+');
  const child = fork(file, {
    execArgv: MEMORY,
    env: { ...process.env, MALLOC_ARENA_MAX: '1' },
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc', fd],
  });
  closeSync(fd);
  return {
    child,
    current: () => Number(readFileSync(progress, 'utf8')),
    stop: () => void (child.connected && child.disconnect()),
  };
}

type Stopped = 'died' | 'hung';

/** Reads a batch. @returns why the process is gone, if it is */
async function readBatch({ child, current }: Reader, order: Order): Promise<Outcome | Stopped> {
  const done = new AbortController();
  const answered = once(child, 'message', done).then(([outcome]: Outcome[]) => outcome ?? 'died');
  const died = once(child, 'exit', done).then((): Stopped => 'died');
  child.send(order);
  try {
    for (;;) {
      const at = current();
      const answer = await Promise.race([answered, died, sleep(HUNG_MS, undefined, done)]);
      if (answer) return answer;
      if (current() !== at) continue;
      child.kill('SIGKILL');
      await died;
      return 'hung';
    }
  } finally {
    // the promises that lost reject now, and nobody waits for them
    answered.catch(() => undefined);
    died.catch(() => undefined);
    done.abort();
  }
}

/** Reads an input whose figures were over their limits once more, in a process that does nothing else. */
async function readAlone(directory: string, seed: number, n: number): Promise<Fault[]> {
  const reader = startReader(directory);
  const input = hostileInput(dice(seed * 1_000_003 + n), readReports(undefined));
  const outcome = await readBatch(reader, { seed, from: n, to: n + 1, input });
  reader.stop();
  return typeof outcome === 'string' ? [{ n, what: `the process ${outcome}` }] : [...outcome.faults, ...outcome.over];
}

type Read = { faults: Fault[]; read: number; refused: number; slowestMs: number; mostMb: number };

/** Reads the inputs of a seed in a process with little memory, and starts another one where an input ends it. */
export async function readVolume(seed: number, count: number, tell: (line: string) => void): Promise<Read> {
  const directory = mkdtempSync(join(tmpdir(), 'hostile-'));
  const all: Read = { faults: [], read: 0, refused: 0, slowestMs: 0, mostMb: 0 };
  let reader = startReader(directory);
  let from = 0;
  while (from < count) {
    const outcome = await readBatch(reader, { seed, from, to: Math.min(count, from + BATCH) });
    const faults =
      typeof outcome === 'string' ? [{ n: reader.current(), what: `the process ${outcome}` }] : outcome.faults;
    const over = typeof outcome === 'string' ? [] : outcome.over;
    for (const { n, what } of over) {
      tell(`input ${n} of seed ${seed} is read once more: ${what}`);
      faults.push(...(await readAlone(directory, seed, n)));
    }
    for (const { n, what } of faults) tell(`input ${n} of seed ${seed}: ${what}`);
    all.faults.push(...faults);
    if (typeof outcome === 'string') {
      from = reader.current() + 1;
      reader = startReader(directory);
      continue;
    }
    from += BATCH;
    all.read += outcome.read;
    all.refused += outcome.refused;
    all.slowestMs = Math.max(all.slowestMs, outcome.slowestMs);
    all.mostMb = Math.max(all.mostMb, outcome.mostMb);
    // the next input that takes much memory shows in a process that has not had it
    if (faults.length + over.length > 0) {
      reader.stop();
      reader = startReader(directory);
    }
    if (from % 10_000 === 0) tell(`${from} inputs, ${all.faults.length} faults, ${all.mostMb.toFixed(0)} MB`);
  }
  reader.stop();
  rmSync(directory, { recursive: true });
  return all;
}
