import { finished, type System, startImport, startSystem } from './ingest/client.ts';
import { benchReport } from './ingest/report.ts';
import type { PlainTable } from './report.ts';
import { settled } from './settled.ts';

const TIMES = 4;

/**
 * One report several times: what is left where nothing changed, in the processor time of the whole process without the engine, and in
 * the memory at which the process stands after each import. The first time makes the findings.
 */
export async function benchSameAgain(count: number): Promise<PlainTable> {
  const system = await startSystem();
  try {
    const report = benchReport(count);
    const rows = [await importOnce(system, report, { operation: 'import', count })];
    await settled(system, performance.now());
    for (let n = 1; n < TIMES; n++)
      rows.push(await importOnce(system, report, { operation: `the same import, time ${n + 1}`, count }));
    return { title: 'The same report again: processor time, memory and units per finding', rows, ok: true };
  } finally {
    await system.stop();
  }
}

async function importOnce(system: System, report: Buffer, { operation, count }: { operation: string; count: number }) {
  const before = await system.measure();
  const { id } = await startImport(system, report);
  await finished(system, id);
  const used = await system.measure();
  return {
    operation,
    findings: count,
    'processor s': (used.processorSeconds - before.processorSeconds).toFixed(2),
    'most MB so far': used.megabytes,
    'read units': (used.readUnits / count).toFixed(4),
    'write units': (used.writeUnits / count).toFixed(4),
    ok: true,
  };
}
