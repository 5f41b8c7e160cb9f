import { fork } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { finished, type System, send } from './ingest/client.ts';
import { type BenchRow, type Budget, benchRow } from './report.ts';
import { perRecord, settled } from './settled.ts';

/** One advisory of so many moves in a day. */
export const MOVED = 50;

export const cveOf = (n: number): string => `CVE-${2015 + (n % 10)}-${10_000 + Math.floor(n / 10)}`;

type Published = { folder: string; scores: number; day: number };

/**
 * A day's file, as FIRST publishes it, and its reading in a process of its own, as the function has one.
 * @returns the largest memory of that process, in megabytes
 */
export async function publish({ settings }: System, { folder, scores, day }: Published): Promise<number> {
  const lines = Array.from({ length: scores }, (_, n) => {
    const part = (n * 7919 + (n % MOVED === 0 ? 5_000 * day : 0)) % 100_000;
    return `${cveOf(n)},${part / 100_000},${(n % 100_000) / 100_000}\n`;
  });
  const head = `#model_version:bench,score_date:2026-01-0${1 + day}\ncve,epss,percentile\n`;
  const file = join(folder, `epss-${day}.csv`);
  writeFileSync(file, head + lines.join(''));
  const child = fork(fileURLToPath(new URL('read-feeds.ts', import.meta.url)), { execArgv: [] });
  child.send({ ...settings, EPSS_FEED_URL: pathToFileURL(file).href });
  const answered = once(child, 'message');
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`the reader of feeds ended with ${code}`);
  return Number((await answered)[0]);
}

const TASKS = ['rescore_findings', 'rescore_vulnerabilities'] as const;
/** Units are per vulnerability that moved, with its findings and groups. */
const DAY: Budget = { seconds: 300, megabytes: 512, writeUnits: 25 };

type Moved = Omit<Published, 'day'> & { vulnerabilities: number; findings: number };

/**
 * Works the scores of one day until the tasks that they queue have ended. Counts the writes of the findings and
 * vulnerabilities that moved.
 */
export async function epssRow(system: System, { vulnerabilities, findings, ...of }: Moved): Promise<BenchRow> {
  const before = await Promise.all(TASKS.map((operation) => lastTask(system, operation)));
  // the first night of a system rates all findings, and would rate some that the scores move
  for (const id of before) if (id) await finished(system, id);
  await system.measure();
  const started = performance.now();
  const packing = await publish(system, { ...of, day: 1 });
  const results = await Promise.all(TASKS.map((operation, n) => ended(system, operation, before[n])));
  const seconds = (performance.now() - started) / 1000;
  assertMoved({ changed: findings }, results[0]);
  assertMoved({ changed: vulnerabilities }, results[1]);
  const used = await settled(system, started);
  return benchRow({
    operation: 'EPSS of a day',
    size: `${vulnerabilities} moved`,
    roundTrips: 0,
    ...perRecord(used, vulnerabilities),
    seconds,
    megabytes: Math.max(packing, used.megabytes),
    budget: DAY,
  });
}

type Result = Record<string, unknown> | undefined;

function assertMoved(wanted: Record<string, number>, result: Result): void {
  for (const [name, count] of Object.entries(wanted))
    if (result?.[name] !== count) throw new Error(`${name}: ${result?.[name]} instead of ${count}`);
}

async function lastTask(system: System, operation: string): Promise<string | undefined> {
  const { data } = await send(system, 'GET', `/api/v1/tasks?operation=${operation}&limit=100`);
  return (data as { id: string }[])[0]?.id;
}

/** The result of the task that was queued since. */
async function ended(system: System, operation: string, before: string | undefined): Promise<Result> {
  const id = await lastTask(system, operation);
  if (id === undefined || id === before) throw new Error(`no task ${operation} was queued`);
  await finished(system, id);
  return (await send(system, 'GET', `/api/v1/tasks/${id}`)).result as Result;
}
