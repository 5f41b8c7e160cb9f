import { fork } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { benchReport } from './ingest/report.ts';
import type { Measured, Ready } from './ingest/system.ts';
import { type BenchRow, type BenchTable, type Budget, benchRow, benchTable } from './report.ts';

const SMALL = 10_000;
const LARGE = 100_000;
const CREATE: Budget = { readUnits: 0.6, writeUnits: 16, megabytes: 512 };
const SEEN: Budget = { readUnits: 0.6, writeUnits: 0.03 };

type System = Ready & { measure(): Promise<Measured>; stop(): Promise<void> };
type Answer = Record<string, unknown>;

/**
 * Sends reports through uploads, the queue and the worker into a table on disk. Measures the time, the memory of the
 * whole system's process, and the units per finding.
 */
export async function benchIngest(): Promise<BenchTable> {
  const system = await startSystem();
  try {
    const small = benchReport(SMALL);
    const rows = [
      await importReport(system, small, { operation: 'import', count: SMALL, budget: { ...CREATE, seconds: 30 } }),
    ];
    const tenth = (rows[0]?.seconds ?? 0) / 10;
    const again = { operation: 'the same import again', count: SMALL, budget: { ...SEEN, seconds: tenth } };
    rows.push(await importReport(system, small, again));
    rows.push(await searchRow(system));
    rows.push(...(await besideLarge(system)));
    return benchTable('Ingest: units per finding, seconds from the request to the end of its task', rows);
  } finally {
    await system.stop();
  }
}

async function startSystem(): Promise<System> {
  // Without the launcher's arguments, which would end the child at the disconnect that asks it to stop.
  const child = fork(fileURLToPath(new URL('ingest/system.ts', import.meta.url)), { execArgv: [] });
  const died = once(child, 'exit').then(([code]) => {
    if (code !== 0) throw new Error(`the measured system ended with ${code}`);
  });
  const [ready] = (await Promise.race([once(child, 'message'), died])) as [Ready];
  return {
    ...ready,
    async measure() {
      child.send('measure');
      return ((await once(child, 'message')) as [Measured])[0];
    },
    async stop() {
      child.disconnect();
      await died;
    },
  };
}

type Import = { operation: string; count: number; budget: Budget; ref?: string };

async function importReport(system: System, report: Buffer, of: Import): Promise<BenchRow> {
  await system.measure();
  const started = performance.now();
  const { id } = await startImport(system, report, of.ref);
  await finished(system, id);
  return rowOf(of, (performance.now() - started) / 1000, await system.measure());
}

const rowOf = ({ operation, count, budget }: Import, seconds: number, used: Measured): BenchRow =>
  benchRow({
    operation,
    size: String(count),
    roundTrips: 0,
    readUnits: used.readUnits / count,
    writeUnits: used.writeUnits / count,
    seconds,
    megabytes: used.megabytes,
    budget,
  });

/** Measures the small upload of a CI job during a large import of the same organization. */
async function besideLarge(system: System): Promise<BenchRow[]> {
  const of = { operation: 'import', count: LARGE, budget: CREATE };
  const report = benchReport(LARGE);
  await system.measure();
  const started = performance.now();
  const { id } = await startImport(system, report, 'large');
  await isRunning(system, id);
  const small = { operation: 'import beside 100,000 others', count: 20, budget: { seconds: 10 } };
  const asked = performance.now();
  const ci = await startImport(system, benchReport(20), 'ci');
  await finished(system, ci.id);
  const waited = (performance.now() - asked) / 1000;
  await finished(system, id);
  const used = await system.measure();
  const row = benchRow({ ...small, size: '20', roundTrips: 0, readUnits: 0, writeUnits: 0, seconds: waited });
  return [row, rowOf(of, (performance.now() - started) / 1000, used)];
}

async function searchRow(system: System): Promise<BenchRow> {
  await system.measure();
  const { data } = await send(system, 'GET', '/api/v1/findings/search?search=injection-7&paginateSize=25');
  if (!Array.isArray(data) || data.length < 25) throw new Error('the imported findings are not found');
  const { roundTrips, readUnits, writeUnits } = await system.measure();
  return benchRow({ operation: 'search for them', size: String(SMALL), roundTrips, readUnits, writeUnits, budget: {} });
}

async function startImport(system: System, report: Buffer, ref = 'main'): Promise<{ id: string }> {
  const sha256 = createHash('sha256').update(report).digest('hex');
  const upload = await send(system, 'POST', '/api/v1/uploads', { sizeBytes: report.length, sha256 });
  const parts = upload.parts as { sizeBytes: number; url: string; headers: Record<string, string> }[];
  let from = 0;
  for (const { url, headers, sizeBytes } of parts) {
    const body = new Uint8Array(report.subarray(from, from + sizeBytes));
    const answer = await fetch(url, { method: 'PUT', headers, body });
    if (!answer.ok) throw new Error(`the upload was refused: ${answer.status}`);
    from += sizeBytes;
  }
  const body = { format: 'sarif', uploadId: upload.uploadId, repository: 'https://git.example.com/bench', ref };
  const { taskId } = await send(system, 'POST', '/api/v1/findings/import', body);
  return { id: String(taskId) };
}

async function finished(system: System, id: string): Promise<void> {
  for (;;) {
    const { status, error } = await send(system, 'GET', `/api/v1/tasks/${id}?waitSeconds=20`);
    if (status === 'succeeded') return;
    if (status === 'failed') throw new Error(`an import failed: ${JSON.stringify(error)}`);
  }
}

/** Resolves when the first findings of an import stand in the table. */
async function isRunning(system: System, id: string): Promise<void> {
  for (;;) {
    const { progress } = await send(system, 'GET', `/api/v1/tasks/${id}?waitSeconds=1`);
    if (Number((progress as { done: number }).done) > 0) return;
  }
}

async function send({ baseUrl, apiKey }: System, method: string, path: string, body?: object): Promise<Answer> {
  const answer = await fetch(`${baseUrl}${path}`, {
    method,
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  const content = (await answer.json()) as Answer;
  if (!answer.ok) throw new Error(`${method} ${path} answers ${answer.status}: ${JSON.stringify(content)}`);
  return content;
}
