import { finished, type System, send, startImport, startSystem } from './ingest/client.ts';
import { benchReport } from './ingest/report.ts';
import { type BenchRow, type BenchTable, benchRow, benchTable } from './report.ts';
import { settled } from './settled.ts';

/** A report to a board, and one whose appendix has every finding. */
const KINDS = ['executive', 'technical'] as const;

/**
 * Makes reports of findings that were imported before, in every format: seconds from the request to the end of the task, and the
 * memory of the whole system's process at most, its import included.
 */
export async function benchReports(count: number): Promise<BenchTable> {
  const system = await startSystem();
  try {
    const { id } = await startImport(system, benchReport(count));
    await finished(system, id);
    await settled(system, performance.now());
    const rows: BenchRow[] = [];
    for (const kind of KINDS) rows.push(await reportRow(system, kind, count));
    return benchTable('Reports: seconds from the request to the end of its task, all formats', rows);
  } finally {
    await system.stop();
  }
}

async function reportRow(system: System, kind: (typeof KINDS)[number], count: number): Promise<BenchRow> {
  await system.measure();
  const started = performance.now();
  const { taskId, resource } = await send(system, 'POST', '/api/v1/reports', { kind });
  await finished(system, String(taskId));
  const seconds = (performance.now() - started) / 1000;
  const { readUnits, writeUnits, megabytes } = await system.measure();
  const { status, tables } = await send(system, 'GET', `/api/v1/reports/${Object(resource).id}`);
  if (status !== 'made' || !Array.isArray(tables)) throw new Error(`the report is ${status}`);
  return benchRow({
    operation: `report ${kind}`,
    size: String(count),
    roundTrips: 0,
    readUnits: kind === 'executive' ? readUnits : readUnits / count,
    writeUnits,
    seconds,
    megabytes,
    budget: { seconds: kind === 'executive' ? 30 : Math.max(30, count / 1000), megabytes: 512 },
  });
}
