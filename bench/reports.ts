import { Writable } from 'node:stream';
import type { ReportDocument } from '#shared/reporting/document.ts';
import { writePdf } from '#shared/reporting/write/pdf.ts';
import { type System, send } from './ingest/client.ts';
import { useOfTask, withFindings } from './ingest/with-findings.ts';
import { type BenchRow, type BenchTable, benchRow, benchTable } from './report.ts';

/** A report to a board, and one whose files of tables have every finding. */
const KINDS = ['executive', 'technical'] as const;
type Kind = (typeof KINDS)[number];

/**
 * Makes reports of findings that were imported before, in every format: seconds from the request to the end of the task, and the
 * memory of the whole system's process at most, its import included. The PDF is drawn once more, alone: the memory of that row is all that
 * this process ever had.
 */
export const benchReports = (count: number): Promise<BenchTable> =>
  withFindings(count, async (system) => {
    const rows: BenchRow[] = [];
    for (const kind of KINDS) rows.push(...(await reportRows(system, kind, count)));
    return benchTable('Reports: seconds from the request to the end of its task, all formats', rows);
  });

async function reportRows(system: System, kind: Kind, count: number): Promise<BenchRow[]> {
  const { resource, readUnits, writeUnits, seconds, megabytes } = await useOfTask(system, '/api/v1/reports', { kind });
  const { status, tables } = await send(system, 'GET', `/api/v1/reports/${Object(resource).id}`);
  if (status !== 'made' || !Array.isArray(tables)) throw new Error(`the report is ${status}`);
  const made = benchRow({
    operation: `report ${kind}`,
    size: String(count),
    roundTrips: 0,
    writeUnits,
    seconds,
    megabytes,
    readUnits: kind === 'executive' ? readUnits : readUnits / count,
    budget: { seconds: kind === 'executive' ? 30 : Math.max(30, count / 1000), megabytes: 512 },
  });
  return [made, await pdfRow(system, `${Object(resource).id}`, { kind, count })];
}

async function pdfRow(system: System, id: string, { kind, count }: { kind: Kind; count: number }): Promise<BenchRow> {
  const { url } = await send(system, 'GET', `/api/v1/reports/${id}/file?format=json`);
  const { document }: { document: ReportDocument } = JSON.parse(await (await fetch(String(url))).text());
  const started = performance.now();
  await writePdf(document, new Writable({ write: (_chunk, _encoding, written) => written() }));
  return benchRow({
    operation: `report ${kind}: its PDF alone`,
    size: String(count),
    roundTrips: 0,
    readUnits: 0,
    writeUnits: 0,
    seconds: (performance.now() - started) / 1000,
    megabytes: Math.round(process.resourceUsage().maxRSS / 1024),
    budget: { seconds: 30, megabytes: 512 },
  });
}
