import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type Called, finished, send, startImport } from './ingest/client.ts';
import { benchReport } from './ingest/report.ts';
import type { PlainTable } from './report.ts';

const READERS = 8;
const WARM_UP = 2_000;
/** The views follow an import after some seconds. */
const QUIET_MS = 15_000;
const READING_MS = 10_000;

/** docs/decisions/0074-workers-beside-the-server.md */
const IMPORT_GOAL = 1.5;
const PAGE_GOAL = 2;

/**
 * Measures readers and an import beside each other in the system of `npm start`: each reader requests pages of 25 findings, one after the
 * other.
 */
export async function benchReaders(count: number): Promise<PlainTable> {
  const system = await startSystem();
  try {
    await importReport(system, 'warm-up', WARM_UP);
    const alone = await importReport(system, 'alone', count);
    await sleep(QUIET_MS);
    const rows = [];
    for (const readers of [1, READERS]) {
      const pages = await reading(system, readers, () => sleep(READING_MS));
      const beside = await reading(system, readers, () => importReport(system, `beside-${readers}`, count));
      rows.push(
        rowOf(`import of ${count} findings, s`, { readers, alone, beside: beside.done, goal: IMPORT_GOAL }),
        rowOf('95th percentile of a page, ms', { readers, alone: pages.p95, beside: beside.p95, goal: PAGE_GOAL }),
      );
      await sleep(QUIET_MS);
    }
    return { title: 'Readers and an import on one machine', rows, ok: rows.every(({ ok }) => ok) };
  } finally {
    await system.stop();
  }
}

type Compared = { readers: number; alone: number; beside: number; goal: number };

const rowOf = (operation: string, { readers, alone, beside, goal }: Compared) => ({
  operation,
  readers,
  alone: alone.toFixed(1),
  beside: beside.toFixed(1),
  ratio: (beside / alone).toFixed(2),
  goal,
  ok: beside / alone <= goal,
});

/** @returns seconds */
async function importReport(system: Called, name: string, count: number): Promise<number> {
  const report = benchReport(count);
  const started = performance.now();
  const { id } = await startImport(system, report, { name });
  await finished(system, id);
  return (performance.now() - started) / 1000;
}

/** Lets readers read until the other work is done. @returns what the work returns, and the 95th percentile in ms */
async function reading<T>(system: Called, readers: number, work: () => Promise<T>): Promise<{ done: T; p95: number }> {
  const times: number[] = [];
  let isDone = false;
  const reader = async (_: unknown, index: number) => {
    for (let page = index; !isDone; page += readers) {
      const started = performance.now();
      await send(system, 'GET', `/api/v1/findings?paginateSize=25&paginateFrom=${25 * (page % 1_000)}`);
      times.push(performance.now() - started);
    }
  };
  const reads = Promise.all(Array.from({ length: readers }, reader));
  const done = await work();
  isDone = true;
  await reads;
  return { done, p95: times.toSorted((a, b) => a - b)[Math.floor(0.95 * times.length)] ?? 0 };
}

/** The system as a user starts it, on disk. */
async function startSystem(): Promise<Called & { stop(): Promise<void> }> {
  const directory = mkdtempSync(join(tmpdir(), 'exposure-readers-'));
  const launcher = fileURLToPath(new URL('../local/run.mjs', import.meta.url));
  const args = [launcher, 'local/start.ts', '--port', '0', '--data-dir', directory];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'close');
  await new Promise<void>((resolve) => {
    child.stdout.on('data', (text) => String(text).includes('The whole job') && resolve());
  });
  const { baseUrl, apiKey } = JSON.parse(readFileSync(join(directory, 'ready.json'), 'utf8'));
  return {
    baseUrl,
    apiKey,
    async stop() {
      child.kill();
      await ended;
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
