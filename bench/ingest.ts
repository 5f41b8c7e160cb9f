import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { fixedCalculation } from './fixed-calculation.ts';
import { finished, isRunning, type System, send, startImport, startSystem } from './ingest/client.ts';
import { benchReport } from './ingest/report.ts';
import type { Measured } from './ingest/system.ts';
import { type BenchRow, type BenchTable, type Budget, benchRow, benchTable } from './report.ts';
import { perRecord, settled } from './settled.ts';

const SMALL = 10_000;
const LARGE = 100_000;
const CREATE: Budget = { readUnits: 0.6, writeUnits: 9, megabytes: 400, commits: 0.3 };
const SEEN: Budget = { readUnits: 0.6, writeUnits: 0.03 };
/**
 * A report of a pull request is as cheap as a repeated report: the import reads the default branch and writes nothing.
 */
const BRANCH: Budget = SEEN;
const WORST = 5_000;

/**
 * Sends reports through uploads, the queue and the worker into a table on disk. Measures the time, the memory of the
 * whole system's process, and the units per finding. In the worst case no two findings share a file, so that each
 * finding has words that no other finding has. The next import begins after the views have followed the import before.
 */
export async function benchIngest(): Promise<BenchTable> {
  const system = await startSystem();
  try {
    const small = benchReport(SMALL);
    const rows = [
      await importReport(system, small, { operation: 'import', count: SMALL, budget: { ...CREATE, seconds: 10 } }),
    ];
    rows.push(await viewsRow(system));
    const tenth = (rows[0]?.seconds ?? 0) / 10;
    const again = { operation: 'the same import again', count: SMALL, budget: { ...SEEN, seconds: tenth } };
    rows.push(await importReport(system, small, again));
    const branch = { operation: 'the same on a branch', count: SMALL, ref: 'feature', budget: BRANCH };
    rows.push(await importReport(system, small, branch));
    rows.push(await searchRow(system));
    rows.push(...(await besideLarge(system)));
    const worst = { operation: 'import, each file new', count: WORST, name: 'worst', budget: {} };
    rows.push(await importReport(system, benchReport(WORST, 1, 'worst'), worst));
    const title = 'Ingest: units per finding, seconds from the request to the end of its task';
    return benchTable(title, rows, figuresOf(rows));
  } finally {
    await system.stop();
  }
}

/** An import while other processes use every core: at most three times as long as alone. */
export async function benchBusyIngest(): Promise<BenchTable> {
  const system = await startSystem();
  const report = benchReport(SMALL);
  try {
    const alone = await importReport(system, report, { operation: 'import', count: SMALL, name: 'alone', budget: {} });
    await viewsRow(system);
    const budget = { seconds: 3 * (alone.seconds ?? 0) };
    const stopOthers = useCores();
    const busy = { operation: 'import, every core busy', count: SMALL, name: 'busy', budget };
    const beside = await importReport(system, report, busy).finally(stopOthers);
    return benchTable('Ingest beside processes that use every core', [alone, beside]);
  } finally {
    await system.stop();
  }
}

/** A process for each core that does nothing but calculate. @returns what ends them */
function useCores(): () => void {
  const others = Array.from({ length: availableParallelism() }, () => spawn(process.execPath, ['-e', 'for (;;);']));
  return () => {
    for (const other of others) other.kill();
  };
}

type Import = { operation: string; count: number; budget: Budget; name?: string; ref?: string };

async function importReport(system: System, report: Buffer, of: Import): Promise<BenchRow> {
  const before = await system.measure();
  const started = performance.now();
  const { id } = await startImport(system, report, of);
  await finished(system, id);
  return rowOf(of, (performance.now() - started) / 1000, { before, used: await system.measure() });
}

/** Measures the views that follow the first import. They have no budget of their own. */
async function viewsRow(system: System): Promise<BenchRow> {
  const { seconds, ...used } = await settled(system, performance.now());
  const of = { operation: 'the views that follow it', size: String(SMALL), roundTrips: 0, budget: {} };
  return benchRow({ ...of, seconds, ...perRecord(used, SMALL) });
}

/** Times in units of a fixed calculation, so that machines compare. */
function figuresOf(rows: readonly BenchRow[]) {
  const unit = fixedCalculation();
  return rows.flatMap(({ operation, size, seconds, processorSeconds }) =>
    seconds === undefined || processorSeconds === undefined
      ? []
      : [
          {
            operation,
            size,
            'fixed calculation s': unit.toFixed(3),
            'time in units of it': (seconds / unit).toFixed(0),
            'processor s': processorSeconds.toFixed(2),
            'processor in units of it': (processorSeconds / unit).toFixed(0),
          },
        ],
  );
}

type Between = { before: Measured; used: Measured };

const rowOf = ({ operation, count, budget }: Import, seconds: number, { before, used }: Between): BenchRow =>
  benchRow({
    operation,
    size: String(count),
    roundTrips: 0,
    readUnits: used.readUnits / count,
    writeUnits: used.writeUnits / count,
    commits: used.commits / count,
    seconds,
    megabytes: used.megabytes,
    processorSeconds: used.processorSeconds - before.processorSeconds,
    budget,
  });

/** Measures the small upload of a CI job during a large import of the same organization. */
async function besideLarge(system: System): Promise<BenchRow[]> {
  const of = { operation: 'import', count: LARGE, budget: { ...CREATE, seconds: 100 } };
  const report = benchReport(LARGE);
  const before = await system.measure();
  const started = performance.now();
  const { id } = await startImport(system, report, { name: 'large' });
  await isRunning(system, id);
  const small = { operation: 'import beside 100,000 others', count: 20, budget: { seconds: 10 } };
  const asked = performance.now();
  const ci = await startImport(system, benchReport(20), { name: 'ci' });
  await finished(system, ci.id);
  const waited = (performance.now() - asked) / 1000;
  await finished(system, id);
  const used = await system.measure();
  const row = benchRow({ ...small, size: '20', roundTrips: 0, readUnits: 0, writeUnits: 0, seconds: waited });
  return [row, rowOf(of, (performance.now() - started) / 1000, { before, used })];
}

async function searchRow(system: System): Promise<BenchRow> {
  await system.measure();
  const { data } = await send(system, 'GET', '/api/v1/findings/search?search=injection-7&paginateSize=25');
  if (!Array.isArray(data) || data.length < 25) throw new Error('the imported findings are not found');
  const { roundTrips, readUnits, writeUnits } = await system.measure();
  return benchRow({ operation: 'search for them', size: String(SMALL), roundTrips, readUnits, writeUnits, budget: {} });
}
