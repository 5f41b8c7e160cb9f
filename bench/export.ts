import type { ExportFormat } from '#shared/platform/exports/export.ts';
import { type System, send } from './ingest/client.ts';
import { useOfTask, withFindings } from './ingest/with-findings.ts';
import { type BenchRow, type BenchTable, benchRow, benchTable } from './report.ts';

const FORMATS: readonly ExportFormat[] = ['csv', 'jsonl', 'sarif', 'vex'];

/**
 * Exports findings that were imported before, in each format: seconds from the request to the end of the task, units per
 * finding, and the memory of the whole system's process at most, its import included.
 */
export const benchExport = (count: number): Promise<BenchTable> =>
  withFindings(count, async (system) => {
    const rows: BenchRow[] = [];
    for (const format of FORMATS) rows.push(await exportRow(system, format, count));
    return benchTable('Export: units per finding, seconds from the request to the end of its task', rows);
  });

async function exportRow(system: System, format: ExportFormat, count: number): Promise<BenchRow> {
  const path = '/api/v1/findings/export';
  const { taskId, readUnits, writeUnits, seconds, megabytes } = await useOfTask(system, path, { format });
  const { file } = await send(system, 'GET', `${path}/${taskId}`);
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
