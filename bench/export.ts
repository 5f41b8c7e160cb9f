import type { ExportFormat } from '#shared/platform/exports/export.ts';
import { finished, type System, send, startImport, startSystem } from './ingest/client.ts';
import { benchReport } from './ingest/report.ts';
import { type BenchRow, type BenchTable, benchRow, benchTable } from './report.ts';
import { settled } from './settled.ts';

const FORMATS: readonly ExportFormat[] = ['csv', 'jsonl', 'sarif', 'vex'];

/**
 * Exports findings that were imported before, in each format: seconds from the request to the end of the task, units per
 * finding, and the memory of the whole system's process at most, its import included.
 */
export async function benchExport(count: number): Promise<BenchTable> {
  const system = await startSystem();
  try {
    const { id } = await startImport(system, benchReport(count));
    await finished(system, id);
    await settled(system, performance.now());
    const rows: BenchRow[] = [];
    for (const format of FORMATS) rows.push(await exportRow(system, format, count));
    return benchTable('Export: units per finding, seconds from the request to the end of its task', rows);
  } finally {
    await system.stop();
  }
}

async function exportRow(system: System, format: ExportFormat, count: number): Promise<BenchRow> {
  await system.measure();
  const started = performance.now();
  const { taskId } = await send(system, 'POST', '/api/v1/findings/export', { format });
  await finished(system, String(taskId));
  const seconds = (performance.now() - started) / 1000;
  const { readUnits, writeUnits, megabytes } = await system.measure();
  const { file } = await send(system, 'GET', `/api/v1/findings/export/${taskId}`);
  if (Object(file).findings !== count) throw new Error(`the export has ${Object(file).findings} findings`);
  return benchRow({
    operation: `export as ${format}`,
    size: String(count),
    roundTrips: 0,
    readUnits: readUnits / count,
    writeUnits: writeUnits / count,
    seconds,
    megabytes,
    budget: { readUnits: 1.1, writeUnits: 0.01, seconds: Math.max(10, count / 1000), megabytes: 512 },
  });
}
